"""Units of measure, currencies and periods: dimension and factor, by symbol and by name.

Names in human languages stand in the lexicons and lead here; a currency is a dimension of its own.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Unit(NamedTuple):
    """What a number counts: values are compared as `value * factor + offset` within a dimension."""

    dimension: str
    factor: float = 1.0
    offset: float = 0.0

    def base(self, value: float) -> float:
        """Return `value` in the base unit of the dimension."""
        return value * self.factor + self.offset


UNITS: Mapping[str, Unit] = MappingProxyType(
    {
        "second": Unit("time", 1),
        "minute": Unit("time", 60),
        "hour": Unit("time", 3600),
        "day": Unit("time", 86400),
        "week": Unit("time", 7 * 86400),
        "business_day": Unit("business_day"),
        "month": Unit("months", 1),
        "year": Unit("months", 12),
        "decade": Unit("months", 120),
        "century": Unit("months", 1200),
        "millimeter": Unit("length", 0.001),
        "centimeter": Unit("length", 0.01),
        "meter": Unit("length", 1),
        "kilometer": Unit("length", 1000),
        "inch": Unit("length", 0.0254),
        "foot": Unit("length", 0.3048),
        "yard": Unit("length", 0.9144),
        "mile": Unit("length", 1609.344),
        "milligram": Unit("mass", 0.001),
        "gram": Unit("mass", 1),
        "ounce": Unit("mass", 28.349523125),
        "pound_weight": Unit("mass", 453.59237),
        "kilogram": Unit("mass", 1000),
        "ton": Unit("mass", 1_000_000),
        "milliliter": Unit("volume", 0.001),
        "liter": Unit("volume", 1),
        "gallon": Unit("volume", 3.785411784),
        "celsius": Unit("temperature", 1),
        "fahrenheit": Unit("temperature", 5 / 9, -160 / 9),
        "percent": Unit("percent"),
        "mph": Unit("speed", 1.609344),
        "kph": Unit("speed", 1),
        "cent": Unit("cent"),
        "square_meter": Unit("area", 1),
        "square_kilometer": Unit("area", 1_000_000),
    }
)
PERIODS = frozenset({"second", "minute", "hour", "day", "week", "month", "year"})
"""The units that can follow "per"."""

SYMBOLS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys("%٪％", "percent"),
        **{"$": "USD", "US$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "￥": "JPY", "₹": "INR", "₽": "RUB"},
        **{"₩": "KRW", "₺": "TRY", "₫": "VND", "﷼": "SAR"},
        **{"EUR": "EUR", "USD": "USD", "GBP": "GBP", "CHF": "CHF", "JPY": "JPY", "CNY": "CNY", "INR": "INR"},
        **{"SAR": "SAR", "TRY": "TRY", "RUB": "RUB", "KRW": "KRW", "VND": "VND", "BRL": "BRL"},
        **{"°C": "celsius", "°F": "fahrenheit", "℃": "celsius", "℉": "fahrenheit"},
        **{"km/h": "kph", "kph": "kph", "mph": "mph", "km²": "square_kilometer", "m²": "square_meter"},
        **{
            "mm": "millimeter",
            "cm": "centimeter",
            "m": "meter",
            "km": "kilometer",
            "mi": "mile",
            "ft": "foot",
        },
        **{"in": "inch", "mg": "milligram", "g": "gram", "kg": "kilogram", "lb": "pound_weight"},
        **{"lbs": "pound_weight", "oz": "ounce", "ml": "milliliter", "mL": "milliliter", "L": "liter"},
        **{"l": "liter", "h": "hour", "min": "minute", "s": "second"},
    }
)
"""Symbol as it is written -> name of a unit, or of a currency."""


def unit_named(name: str) -> Unit:
    """Return the unit of a name; a name without a factor, such as a currency, is its own dimension."""
    return UNITS.get(name) or Unit(name)
