"""The life of a version after admission: trial, promotion, rollback, drift, verification, rebuilding."""
