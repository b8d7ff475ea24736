"""What axe-core complains of on a page."""

from importlib.resources import files

from playwright.sync_api import Page

AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
FOUND = """() => axe.run({ resultTypes: ["violations"] }).then(({ violations, passes }) => [
  violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))]),
  passes.length,
])"""


def violations(page: Page, panels: dict[str, list[str]]) -> dict[str, object]:
    """What axe-core complains of, panel by panel, each opened after the one before."""
    page.evaluate(AXE)
    found = {}
    for panel, keys in panels.items():
        for key in keys:
            if key == "table":
                page.locator("[data-part=state]").focus()
            elif key == "late":
                page.locator("[data-part=breaks] button").first.press("Enter")
            else:
                page.keyboard.press(key)
        wrong, passed = page.evaluate(FOUND)
        assert passed > 10
        if wrong:
            found[panel] = wrong
    return found
