//! Units of measure and currencies by their names.

/// What a number counts or measures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Unit {
    /// Units of one dimension can be compared.
    pub(super) dimension: Dimension,
    /// How many base units of the dimension one of these is.
    pub(super) factor: f64,
}

/// What units measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dimension {
    Length,
    Area,
    Volume,
    Mass,
    Time,
    Power,
    Energy,
    Frequency,
    Data,
    Speed,
    Pressure,
    Temperature(u8),
    Share,
    Points,
    Money(u8),
    Voltage,
    Fold,
    Concentration,
}

const UNITS: &[(&str, Dimension, f64)] = &[
    ("nm nanometer nanometers nanometre nanometres", Dimension::Length, 1e-9),
    ("µm μm um micrometer micrometers micron microns", Dimension::Length, 1e-6),
    ("mm millimeter millimeters millimetre millimetres", Dimension::Length, 1e-3),
    ("cm centimeter centimeters centimetre centimetres", Dimension::Length, 1e-2),
    ("m meter meters metre metres", Dimension::Length, 1.0),
    ("km kilometer kilometers kilometre kilometres kms", Dimension::Length, 1e3),
    ("inch inches", Dimension::Length, 0.0254),
    ("ft foot feet", Dimension::Length, 0.3048),
    ("yd yard yards", Dimension::Length, 0.9144),
    ("mi mile miles", Dimension::Length, 1609.344),
    ("furlong furlongs", Dimension::Length, 201.168),
    ("cubit cubits", Dimension::Length, 0.4572),
    ("ha hectare hectares", Dimension::Area, 1e4),
    ("acre acres", Dimension::Area, 4046.86),
    ("ml milliliter milliliters millilitre millilitres cc", Dimension::Volume, 1e-3),
    ("l liter liters litre litres", Dimension::Volume, 1.0),
    ("gal gallon gallons", Dimension::Volume, 3.785),
    ("pint pints", Dimension::Volume, 0.473),
    ("barrel barrels", Dimension::Volume, 158.987),
    ("ng nanogram nanograms", Dimension::Mass, 1e-12),
    ("µg μg mcg microgram micrograms", Dimension::Mass, 1e-9),
    ("mg milligram milligrams", Dimension::Mass, 1e-6),
    ("g gram grams gramme grammes", Dimension::Mass, 1e-3),
    ("kg kilogram kilograms kilo kilos kgs", Dimension::Mass, 1.0),
    ("lb lbs", Dimension::Mass, 0.4536),
    ("oz ounce ounces", Dimension::Mass, 0.02835),
    ("t ton tons tonne tonnes", Dimension::Mass, 1e3),
    ("ms millisecond milliseconds", Dimension::Time, 1e-3),
    ("s sec secs second seconds", Dimension::Time, 1.0),
    ("min mins minute minutes", Dimension::Time, 60.0),
    ("h hr hrs hour hours", Dimension::Time, 3600.0),
    ("day days", Dimension::Time, 86_400.0),
    ("week weeks wk wks", Dimension::Time, 604_800.0),
    ("month months", Dimension::Time, 2_629_746.0),
    ("year years yr yrs", Dimension::Time, 31_556_952.0),
    ("decade decades", Dimension::Time, 315_569_520.0),
    ("century centuries", Dimension::Time, 3_155_695_200.0),
    ("w watt watts", Dimension::Power, 1.0),
    ("kw kilowatt kilowatts", Dimension::Power, 1e3),
    ("mw megawatt megawatts", Dimension::Power, 1e6),
    ("gw gigawatt gigawatts", Dimension::Power, 1e9),
    ("hp horsepower", Dimension::Power, 745.7),
    ("j joule joules", Dimension::Energy, 1.0),
    ("kj kilojoule kilojoules", Dimension::Energy, 1e3),
    ("cal kcal calorie calories", Dimension::Energy, 4184.0),
    ("kwh", Dimension::Energy, 3.6e6),
    ("mwh", Dimension::Energy, 3.6e9),
    ("gwh", Dimension::Energy, 3.6e12),
    ("hz hertz", Dimension::Frequency, 1.0),
    ("khz kilohertz", Dimension::Frequency, 1e3),
    ("mhz megahertz", Dimension::Frequency, 1e6),
    ("ghz gigahertz", Dimension::Frequency, 1e9),
    ("byte bytes", Dimension::Data, 1.0),
    ("kb kilobyte kilobytes", Dimension::Data, 1e3),
    ("mb megabyte megabytes", Dimension::Data, 1e6),
    ("gb gigabyte gigabytes", Dimension::Data, 1e9),
    ("tb terabyte terabytes", Dimension::Data, 1e12),
    ("kmh kph", Dimension::Speed, 1.0),
    ("mph", Dimension::Speed, 1.609),
    ("knot knots", Dimension::Speed, 1.852),
    ("pa pascal pascals", Dimension::Pressure, 1.0),
    ("kpa", Dimension::Pressure, 1e3),
    ("mpa", Dimension::Pressure, 1e6),
    ("bar bars", Dimension::Pressure, 1e5),
    ("mmhg", Dimension::Pressure, 133.322),
    ("c celsius centigrade", Dimension::Temperature(0), 1.0),
    ("f fahrenheit", Dimension::Temperature(1), 1.0),
    ("k kelvin kelvins", Dimension::Temperature(2), 1.0),
    ("% percent pct", Dimension::Share, 1.0),
    ("pp pps", Dimension::Points, 1.0),
    ("$ dollar dollars usd bucks", Dimension::Money(0), 1.0),
    ("cent cents", Dimension::Money(0), 0.01),
    ("€ euro euros eur", Dimension::Money(1), 1.0),
    ("£ gbp sterling", Dimension::Money(2), 1.0),
    ("¥ yen jpy", Dimension::Money(3), 1.0),
    ("₹ rupee rupees inr", Dimension::Money(4), 1.0),
    ("chf franc francs", Dimension::Money(5), 1.0),
    ("yuan rmb cny", Dimension::Money(6), 1.0),
    ("shekel shekels", Dimension::Money(7), 1.0),
    ("denarius denarii", Dimension::Money(8), 1.0),
    ("talent talents", Dimension::Money(9), 1.0),
    ("v volt volts", Dimension::Voltage, 1.0),
    ("kv kilovolt kilovolts", Dimension::Voltage, 1e3),
    ("fold times x", Dimension::Fold, 1.0),
    ("nmol", Dimension::Concentration, 1e-9),
    ("µmol μmol", Dimension::Concentration, 1e-6),
    ("mmol", Dimension::Concentration, 1e-3),
];

/// Units that are only units right behind a figure: as words they are too common.
fn needs_figure(name: &str) -> bool {
    name.chars().count() == 1 || matches!(name, "min" | "sec" | "bar" | "cal" | "x" | "pa" | "mi")
}

/// The unit of a lower-case word. `figure`: whether it stands right behind a number in figures.
pub(super) fn unit(lower: &str, figure: bool) -> Option<Unit> {
    let sign = lower.chars().next().is_some_and(|c| !c.is_alphabetic());
    if needs_figure(lower) && !figure && !sign {
        return None;
    }
    if matches!(lower, "pound" | "pounds") {
        // Money or weight: decided by the other side, see `same_dimension`.
        return Some(Unit { dimension: Dimension::Mass, factor: 0.4536 });
    }
    UNITS
        .iter()
        .find(|(names, _, _)| names.split(' ').any(|name| name == lower))
        .map(|(_, dimension, factor)| Unit { dimension: *dimension, factor: *factor })
}

impl Unit {
    /// "Pounds", which are money or weight.
    pub(super) fn is_pounds(self) -> bool {
        self.dimension == Dimension::Mass && (self.factor - 0.4536).abs() < 1e-9
    }

    /// Whether figures of both can be compared after conversion. "Pounds" are money or weight.
    pub(super) fn comparable(self, other: Self) -> bool {
        let sterling = |u: Self| u.dimension == Dimension::Money(2);
        self.dimension == other.dimension
            || self.is_pounds() && sterling(other)
            || sterling(self) && other.is_pounds()
    }

    /// The sign of the unit that the factor counts in.
    pub(super) fn base(self) -> &'static str {
        const MONEY: [&str; 10] =
            ["$", "€", "£", "¥", "₹", "CHF", "CNY", "ILS", "denarius", "talent"];
        match self.dimension {
            Dimension::Length => "m",
            Dimension::Area => "m²",
            Dimension::Volume => "l",
            Dimension::Mass => "kg",
            Dimension::Time => "s",
            Dimension::Power => "W",
            Dimension::Energy => "J",
            Dimension::Frequency => "Hz",
            Dimension::Data => "B",
            Dimension::Speed => "km/h",
            Dimension::Pressure => "Pa",
            Dimension::Temperature(0) => "°C",
            Dimension::Temperature(1) => "°F",
            Dimension::Temperature(_) => "K",
            Dimension::Share => "%",
            Dimension::Points => "pp",
            Dimension::Money(which) => MONEY.get(usize::from(which)).copied().unwrap_or("money"),
            Dimension::Voltage => "V",
            Dimension::Fold => "x",
            Dimension::Concentration => "mol",
        }
    }

    /// Whether both are the same unit.
    pub(super) fn same(self, other: Self) -> bool {
        self.comparable(other)
            && (self.dimension != other.dimension
                || (self.factor - other.factor).abs() <= 1e-9 * self.factor.abs())
    }
}
