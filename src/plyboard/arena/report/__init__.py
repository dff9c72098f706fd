"""Reports on events: a value with all figures, and its drawing as text, JSON or a page."""

from plyboard.arena.report.event_report import EventReport as EventReport
from plyboard.arena.report.to_html import report_html as report_html
from plyboard.arena.report.to_json import report_json as report_json
from plyboard.arena.report.to_rich import report_tables as report_tables
