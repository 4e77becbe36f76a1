"""The page in a real browser: Debian's chromium, driven by Playwright. Skipped with the reason where it is absent."""
