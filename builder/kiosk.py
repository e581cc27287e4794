"""The kiosk profile: one screen in a public place, its settings and the size of its type.

The size of the type follows from where people stand. What the pages do with it is in `web/js/kiosk.js`.
"""

import math
from dataclasses import dataclass

from builder import settings
from cairn_core.errors import ConfigError

CAPITAL = 0.668
"""Height of a capital H in parts of the type size: Atkinson Hyperlegible; system fonts have 0.66 to 0.73."""

ANGLE = math.radians(0.7)
"""EN 301 549 V3.2.1, 5.1.4: the least angle a capital H takes up at the place the text is read from."""

LEAST_CAPITAL_MM = 4.8
"""Height of a capital I by Revised Section 508, 402.4 (3/16 inch)."""

KEY_MM, KEY_GAP_MM = 15, 2
"""Least side of a key of the on-screen keyboard, and what lies between two: fingers do not grow with type."""

LARGER = 1.25
"""The larger text beside the usual one."""

IDLE = (30, 600)
"""Seconds without a touch before the reader is asked: least and most."""

SECTION = "kiosk"
REACHES = ("any", "low")


@dataclass(frozen=True, slots=True)
class Kiosk:
    """The one screen a site is made for; lengths in millimetres, resolution in CSS pixels.

    `export_refused`: whether refused questions are noted for staff, of people who agree.
    """

    screen_mm: tuple[int, int]
    resolution: tuple[int, int]
    distance_mm: int = 600
    idle_seconds: int = 90
    reach: str = REACHES[0]
    export_refused: bool = False

    @property
    def pixel_mm(self) -> float:
        """The shorter side of a pixel, so that the type falls short in neither direction."""
        return min(self.screen_mm[0] / self.resolution[0], self.screen_mm[1] / self.resolution[1])

    @property
    def root_px(self) -> float:
        """The type size in CSS pixels, rounded up to a tenth.

        A capital H seen under the angle a from the distance d is 2 d tan(a / 2) high (EN 301 549, 5.1.4);
        Section 508 asks for LEAST_CAPITAL_MM whatever the distance.
        """
        capital_mm = max(2 * self.distance_mm * math.tan(ANGLE / 2), LEAST_CAPITAL_MM)
        return math.ceil(round(capital_mm / self.pixel_mm / CAPITAL * 10, 6)) / 10

    def stylesheet(self) -> str:
        """Return the rules that set the sizes of the type and of keys."""
        larger = round(self.root_px * LARGER, 1)
        key, gap = (math.ceil(round(length / self.pixel_mm, 6)) for length in (KEY_MM, KEY_GAP_MM))
        return (
            f"html {{\n  font-size: {self.root_px}px;\n  --key: {key}px;\n  --key-gap: {gap}px;\n}}\n\n"
            f'html[data-text="larger"] {{\n  font-size: {larger}px;\n}}\n'
        )


def read(section: settings.Table) -> Kiosk | None:
    """Return the profile of a `[kiosk]` section, None for an empty one. Raises ConfigError with the key."""
    if not section:
        return None
    screen, resolution = (_pair(section, key) for key in ("screen_mm", "resolution"))
    if (screen[0] > screen[1]) != (resolution[0] > resolution[1]):
        message = "The screen is upright in one of the two settings and lying in the other."
        raise ConfigError(message, hint="give width, then height, in both", location=f"{SECTION}.resolution")
    return Kiosk(
        screen,
        resolution,
        _number(section, "distance_mm", 600, (200, 5000)),
        _number(section, "idle_seconds", 90, IDLE),
        settings.choice(section, SECTION, "reach", REACHES),
        settings.flag(section, SECTION, "export_refused"),
    )


def _pair(section: settings.Table, key: str) -> tuple[int, int]:
    value = section.get(key)
    match value:
        case [int(width), int(height)] if min(width, height) > 0 and not isinstance(value, str):
            return width, height
    message = f"The kiosk has no {key} of two whole numbers."
    raise ConfigError(message, hint=f"write {key} = [width, height]", location=f"{SECTION}.{key}")


def _number(section: settings.Table, key: str, default: int, bounds: tuple[int, int]) -> int:
    value = section.get(key, default)
    least, most = bounds
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        message = f'The value "{value}" is not a whole number from {least} to {most}.'
        raise ConfigError(message, hint=f"write {key} = {default}", location=f"{SECTION}.{key}")
    return value
