"""Opens the HTML reports of hostile answers in Chromium and counts what a page must not do: open a dialog, run anything, ask
for anything, break its own policy. The reports are written by a test of the core (`ELENCHUS_REPORTS` names the folder)."""

import os
import pathlib
import subprocess
import sys
import tempfile

from playwright.sync_api import sync_playwright


def main() -> int:
    folder = pathlib.Path(os.environ.get("ELENCHUS_REPORTS") or tempfile.mkdtemp())
    if not any(folder.glob("*.html")):
        command = ["cargo", "test", "--locked", "-p", "elenchus-core", "--lib", "--", "every_hostile_report_is_written", "--ignored"]
        subprocess.run(command, check=True, env={**os.environ, "ELENCHUS_REPORTS": str(folder)})
    reports = sorted(folder.glob("*.html"))
    if not reports:
        print("SKIPPED (no data): no reports were written")
        return 0
    dialogs, requests, complaints = [], [], []
    with sync_playwright() as browsers:
        browser = browsers.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page()

        def on_dialog(dialog):
            dialogs.append(dialog.message)
            dialog.dismiss()

        page.on("dialog", on_dialog)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        wanted = []
        for report in reports:
            wanted.append(report.as_uri())
            page.goto(report.as_uri())
            # Whatever waits for a pointer or a focus gets both.
            page.mouse.move(200, 200)
            page.keyboard.press("Tab")
        asked = [url for url in requests if url not in wanted]
        browser.close()
    print(f"{len(reports)} reports: {len(dialogs)} dialogs, {len(asked)} requests, {len(complaints)} complaints")
    for what in (dialogs + asked + complaints)[:10]:
        print("  ", what[:200])
    return 1 if dialogs or asked or complaints else 0


if __name__ == "__main__":
    sys.exit(main())
