//! What may be written instead of a line, and who of several can do a thing.

use crate::orders::Fault;

/// Reasons said of units that are left out.
const REASONS_MAX: usize = 2;

/// What may be written instead of a line.
#[derive(Default)]
pub struct Found {
    /// Lines that are taken.
    pub lines: Vec<String>,
    /// Why the line is not taken as it stands, and by which rule.
    pub why: Option<(String, String)>,
    /// What else to know.
    pub note: Option<String>,
    /// Whether the line says all that was written, and nothing else.
    pub whole: bool,
}

impl Found {
    /// No line, and why.
    pub fn reason(why: impl Into<String>, rule: &str) -> Found {
        Found { why: Some((why.into(), rule.to_owned())), ..Found::default() }
    }

    /// No line, for a fault.
    pub fn fault(fault: &Fault) -> Found {
        let rule = if let Fault::Refused { rule, .. } = fault { rule } else { "" };
        Found::reason(fault.why(), rule)
    }
}

/// Units that can do something together, and why others cannot.
#[derive(Default)]
pub struct Parted {
    /// Who can.
    pub can: Vec<String>,
    /// Who cannot, each with the reason.
    pub cannot: Vec<(String, Fault)>,
}

impl Parted {
    /// Parts units by whether each of them can alone.
    pub fn of(units: &[String], test: impl Fn(&[String]) -> Result<(), Fault>) -> Parted {
        let mut parted = Parted::default();
        for unit in units {
            match test(std::slice::from_ref(unit)) {
                Ok(()) => parted.can.push(unit.clone()),
                Err(fault) => parted.cannot.push((unit.clone(), fault)),
            }
        }
        parted
    }

    /// Why nobody can, or who cannot and why.
    pub fn why(&self) -> Option<(String, String)> {
        let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
        for (unit, fault) in &self.cannot {
            let told = fault.why();
            let why = told.strip_prefix(&format!("{unit} ")).map_or_else(|| format!(": {told}"), |is| format!(" {is}"));
            match groups.iter_mut().find(|(said, _)| *said == why) {
                Some((_, units)) => units.push(unit),
                None => groups.push((why, vec![unit])),
            }
        }
        let rule = self.cannot.iter().find_map(|(_, fault)| match fault {
            Fault::Refused { rule, .. } => Some(rule.clone()),
            _ => None,
        });
        let said = |(why, units): &(String, Vec<&str>)| {
            let are = why.strip_prefix(" is ").filter(|_| units.len() > 1).map(|is| format!(" are {is}"));
            format!("{}{}", units.join(" "), are.unwrap_or_else(|| why.clone()))
        };
        let reasons: Vec<String> = groups.iter().take(REASONS_MAX).map(said).collect();
        (!reasons.is_empty()).then(|| (reasons.join("; "), rule.unwrap_or_default()))
    }
}

/// An order that takes pieces along, with all who may come, one after the other, and why others may not; `more` are the
/// pieces, each with how the order takes it.
pub fn widened<C: Clone>(
    mut order: C,
    more: Vec<(String, fn(&mut C, String))>,
    test: impl Fn(&C) -> Result<(), Fault>,
) -> (C, Vec<(String, Fault)>) {
    let mut cannot = Vec::new();
    for (who, add) in more {
        let mut wider = order.clone();
        add(&mut wider, who.clone());
        match test(&wider) {
            Ok(()) => order = wider,
            Err(fault) => cannot.push((who, fault)),
        }
    }
    (order, cannot)
}
