"""The report as JUnit XML: a suite for each tool, a case for each gate."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from nucleate_codifier.repository.project_values import JudgedTool
from nucleate_codifier.repository.reports.report import FindingPlace, RepositoryReport, places
from nucleate_codifier.values import Decision, GateReport, Status

# Everything that XML 1.0 cannot hold.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
PROVISIONAL = "every gate passed, but the sandbox is no boundary: judge again where Docker answers"


def as_junit(report: RepositoryReport) -> str:
    """Return the XML text. Refused is a failure; what nobody could judge is an error."""
    root = ET.Element("testsuites", name="nucleate admit", time=f"{report.seconds:.3f}")
    suites = [_suite(item) for item in report.judged]
    root.extend(suites)
    for key in ("tests", "failures", "errors", "skipped"):
        root.set(key, str(sum(int(suite.get(key, "0")) for suite in suites)))
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _suite(item: JudgedTool) -> ET.Element:
    suite = ET.Element("testsuite", name=_xml(item.tool.path), time=f"{item.milliseconds / 1000:.3f}")
    suite.extend(_case(item, gate) for gate in item.verdict.gates)
    if item.verdict.decision is Decision.PROVISIONAL:
        suite.append(_provisional(item))
    counted = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    suite.set("tests", str(len(suite)))
    for key, tag in counted.items():
        suite.set(key, str(len(suite.findall(f"testcase/{tag}"))))
    return suite


def _case(item: JudgedTool, gate: GateReport) -> ET.Element:
    case = _named(item, gate.gate.value)
    case.set("time", f"{gate.milliseconds / 1000:.3f}")
    found = [place for place in places(item) if place.gate is gate]
    if gate.status is Status.SKIPPED:
        ET.SubElement(case, "skipped")
    elif gate.status is not Status.PASSED:
        tag = "failure" if gate.status is Status.REFUSED else "error"
        message = _xml("; ".join(dict.fromkeys(place.finding.rule for place in found)))
        ET.SubElement(case, tag, message=message).text = _xml("\n".join(map(_text, found)))
    return case


def _provisional(item: JudgedTool) -> ET.Element:
    case = _named(item, "final")
    ET.SubElement(case, "error", message=PROVISIONAL)
    return case


def _named(item: JudgedTool, name: str) -> ET.Element:
    return ET.Element("testcase", classname=_xml(item.tool.name), name=name, file=_xml(item.tool.path))


def _text(place: FindingPlace) -> str:
    fix = f"\n  fix: {place.finding.fix}" if place.finding.fix else ""
    return f"{place.judged.tool.path}:{place.line}: {place.finding.rule}: {place.finding.message}{fix}"


def _xml(text: str) -> str:
    return _NOT_XML.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)
