//! A seat's view, laid out as data.

use super::seat::{Board, Call, Drill, Foe, Kind, Opening, Own, Phase, Stage, Tried};
use super::tables;
use super::units::{facts, roster};
use super::{my_sheet, plate};
use crate::hex::Hex;
use crate::orders;
use crate::report::field::Window;
use crate::report::field::laid::{self, words};
use crate::report::sheet::{Standing, standing};
use crate::rules::great_battles::GreatBattles;
use crate::rules::great_battles::ask::{KEYS, unset};
use crate::rules::great_battles::board::Arm;
use crate::rules::great_battles::ground::Class;
use crate::rules::great_battles::reach::{self, FORMS, Ready};
use crate::rules::great_battles::reinforce;
use crate::rules::great_battles::state::{At, Level, Mode, State, Step, Unit};
use crate::rules::great_battles::view::View;
use crate::rules::rehearsal::Plan;
use crate::text;
use std::collections::{BTreeMap, BTreeSet};

fn stage(v: &View) -> Stage {
    match &v.state.at {
        _ if !my_sheet(v) => Stage::Wait,
        At::Open => Stage::Open,
        At::Others(_) if v.state.acting.is_none() => Stage::Pick,
        _ => Stage::Act,
    }
}

fn kind_of(arm: Arm) -> Kind {
    match arm {
        Arm::Cav => Kind::Horse,
        Arm::Art => Kind::Guns,
        Arm::Inf => Kind::Foot,
    }
}

fn word(how: Mode) -> String {
    how.word().to_uppercase()
}

/// A view while it is laid out.
struct Layout<'v> {
    v: &'v View,
    ready: Vec<Ready>,
    foes: BTreeSet<Hex>,
    window: Window,
    gaits: BTreeMap<Class, usize>,
    drills: Vec<Drill>,
}

/// The view of a seat, and the ground of its part of the map as a drawing with its pieces.
pub fn board(v: &View) -> (Board, String) {
    let s = &v.state;
    let stage = stage(v);
    let ready = if stage == Stage::Wait { Vec::new() } else { reach::ready(v) };
    let (window, foes) = (window(v), reach::foes(v));
    let mut layout = Layout { v, ready, foes, window, gaits: BTreeMap::new(), drills: Vec::new() };
    let own = layout.own();
    let laid = laid::lay(&plate::scene(v), layout.window);
    let acting = reach::acting(v);
    let sides = |at: &Hex| {
        let sign = |(assault, open): (bool, bool)| char::from(b'0' + u8::from(assault) + 2 * u8::from(open));
        (at.to_string(), reach::sides(s, *at).map(sign).iter().collect())
    };
    let (grounds, rooms) = tables::grounds(s, layout.window);
    let charts = &s.board.charts;
    let reinforce = stage == Stage::Open && !reinforce::due(s, &v.side).is_empty();
    let opens = stage == Stage::Open;
    let board = Board {
        map: laid.map,
        places: laid.places,
        stage,
        own,
        enemy: enemy(v),
        calls: layout.ready.iter().map(call).collect(),
        acting: acting.iter().flat_map(|a| &a.modes).map(|(id, how)| (id.clone(), word(*how))).collect(),
        active: acting.and_then(|a| a.division.clone()),
        fought: acting.iter().flat_map(|a| a.fought.iter().cloned()).collect(),
        step: match acting.map(|a| a.step) {
            Some(Step::Fire) => Phase::Fire,
            Some(Step::Melee) => Phase::Melee,
            _ => Phase::Movement,
        },
        gaits: tables::gaits(s, layout.window, &layout.gaits),
        drills: layout.drills.clone(),
        rooms,
        grounds,
        fronts: words(&reach::fronts(v)),
        sides: layout.foes.iter().map(sides).collect(),
        volleys: charts.fire.tenths.keys().map(|form| form.word().to_owned()).collect(),
        aside: [charts.slide, charts.reverse],
        rides: charts.leader_ma,
        opening: Opening {
            change: if opens { reach::additions(v) } else { BTreeMap::new() },
            begin: if opens { reach::openings(v) } else { Vec::new() },
            reinforce,
        },
        standing: values(v),
    };
    (board, laid.svg)
}

/// The standing answers that this game takes.
fn values(v: &View) -> Vec<Standing> {
    let mut found = standing(KEYS);
    found.iter_mut().for_each(|key| key.values.retain(|value| unset(&v.state, value).is_none()));
    found
}

fn call(ready: &Ready) -> Call {
    Call {
        division: ready.division.clone(),
        lim: ready.lim.clone(),
        pick: ready.pick.clone(),
        how: ready.how.iter().map(|how| word(*how)).collect(),
        odds: ready.odds,
        units: ready.units.keys().cloned().collect(),
        alone: ready.alone,
    }
}

/// The part of the field that holds own pieces, and enemies near them.
fn window(v: &View) -> Window {
    let s = &v.state;
    let units = s.counters().filter(|(id, ..)| s.is_of(id, &v.side)).flat_map(|(.., pose)| pose.hexes());
    let own = |name: &String| s.chief(name).is_some_and(|chief| chief.side == v.side);
    let leaders = s.leaders.iter().filter(|(name, _)| own(name)).filter_map(|(_, l)| l.hex);
    laid::part(&roster(v, text::WIDTH), &units.chain(leaders).collect(), reach::foes(v).into_iter())
}

/// What is known of enemies, those in sight first.
fn enemy(v: &View) -> Vec<Foe> {
    let s = &v.state;
    let blank =
        |id: &str, hex: Hex, what: String| Foe { id: id.to_owned(), hex: hex.to_string(), what, ..Foe::default() };
    let mut found = Vec::new();
    for (id, _, pose) in s.enemies(&v.side) {
        let marks = s.marks(id, s.active());
        found.push(Foe {
            more: words(pose.hexes().iter().skip(1)),
            hour: (!pose.form.all_round() && !s.routs(id) && !v.blurred.contains(id)).then(|| u8::from(pose.hour)),
            runs: s.routs(id),
            guns: s.is_arm(id, Arm::Art),
            struck: [marks.bayoneted, marks.charged],
            ..blank(id, pose.head, facts(v, id))
        });
    }
    for (name, hex) in s.leaders.iter().filter_map(|(name, l)| Some((name, l.hex?))) {
        if s.chief(name).is_some_and(|chief| chief.side != v.side) {
            found.push(Foe { leader: true, ..blank(name, hex, "a leader".to_owned()) });
        }
    }
    for (tag, contact) in &v.ghosts {
        let name = contact.face.regiment.as_ref().map_or_else(String::new, |name| format!(", {name}"));
        let what = format!("{}{name}, out of sight", contact.face.arm);
        found.push(Foe { last: Some(contact.turn), ..blank(tag, contact.face.hex, what) });
    }
    found
}

impl Layout<'_> {
    /// Own pieces: leaders, then units by name.
    fn own(&mut self) -> Vec<Own> {
        let v = self.v;
        let s = &v.state;
        let chiefs = s.leaders.iter().filter(|(name, l)| s.chief(name).is_some_and(|c| c.side == v.side) && !l.lost);
        let mut own: Vec<Own> = chiefs.filter_map(|(name, l)| Some(self.leader(name, l.hex?))).collect();
        let units: Vec<(&String, &Unit, _)> = s.counters().filter(|(id, ..)| s.is_of(id, &v.side)).collect();
        for (id, u, pose) in units {
            let blank = self.blank(id, pose.head);
            let kind = s.kind(id).map_or(Kind::Foot, |kind| kind_of(kind.arm));
            let kind = if s.is_dummy(id) { Kind::Dummy } else { kind };
            let one = Own {
                kind,
                more: words(pose.hexes().iter().skip(1)),
                form: Some(pose.form.word().to_owned()),
                hour: Some(u8::from(pose.hour)),
                facts: facts(v, id),
                sp: s.sp(id),
                under: Some(u.under),
                runs: u.level == Level::Rout,
                acts: u.going.ready,
                done: u.going.done,
                stopped: u.going.stopped,
                cossack: s.kind(id).is_some_and(crate::rules::great_battles::board::Kind::is_cossack),
                ..blank
            };
            let one = self.able(id, u, one);
            own.push(one);
        }
        own.extend(self.coming());
        own
    }

    /// 14.1 Units that wait off the map and may come now, or that come now.
    fn coming(&mut self) -> Vec<Own> {
        let v = self.v;
        let called = |id: &String| self.ready.iter().any(|ready| ready.units.contains_key(id));
        let s = &v.state;
        let waits =
            s.units.iter().filter(|(id, u)| u.pose.is_none() && s.is_of(id, &v.side) && (u.going.ready || called(id)));
        let waits: Vec<(&String, &Unit)> = waits.collect();
        let mut found = Vec::new();
        for (id, u) in waits {
            let kind = s.kind(id).map_or(Kind::Foot, |kind| kind_of(kind.arm));
            let kind = if s.is_dummy(id) { Kind::Dummy } else { kind };
            let blank = Own { hex: String::new(), ..self.blank(id, Hex::default()) };
            let facts = "waits off the map".to_owned();
            let one = Own { kind, facts, sp: s.sp(id), acts: u.going.ready, ..blank };
            found.push(self.able(id, u, one));
        }
        found
    }

    /// Lines for who enters, and for who stands in two hexes: those that CHECK takes on a table on which its division acts.
    fn tried(&self, table: &State, own: &Own) -> Vec<Tried> {
        let id = &own.id;
        let turns =
            [("F", "One ahead"), ("L", "Turn left"), ("R", "Turn right"), ("AF", "About face"), ("B", "One back")];
        let lines: Vec<(String, String)> = if own.hex.is_empty() {
            let limbered = ("Enter limbered".to_owned(), format!("ENTER {id} FORM LIMBER"));
            vec![("Enter".to_owned(), format!("ENTER {id}")), limbered]
        } else {
            let forms = FORMS.into_iter().map(|form| form.word());
            let forms = forms.map(|form| (format!("Form {form}"), format!("FORM {id} {}", form.to_uppercase())));
            let moves = turns.into_iter().map(|(word, name)| (name.to_owned(), format!("MOVE {id} {word}")));
            let from: Vec<Hex> = table.on(id).map(|(.., pose)| pose.hexes()).unwrap_or_default();
            let beside = self.foes.iter().filter(|at| from.iter().any(|hex| hex.adjacent(**at)));
            let fires = beside.map(|at| (format!("Fire at {at}"), format!("FIRE {id} AT {at}")));
            forms.chain(moves).chain(fires).collect()
        };
        let mut plan = Plan::<GreatBattles>::new(View { state: table.clone(), ..self.v.clone() });
        let mut taken = |line: &str| plan.aside(&orders::line(1, line)).is_ok();
        lines.into_iter().filter(|(_, line)| taken(line)).map(|(name, line)| Tried { name, line }).collect()
    }

    fn blank(&self, id: &str, hex: Hex) -> Own {
        let division = self.v.state.division(id).to_owned();
        Own { id: id.to_owned(), division, hex: hex.to_string(), ..Own::default() }
    }

    fn leader(&mut self, name: &str, hex: Hex) -> Own {
        let s = &self.v.state;
        let of = s.chief(name).map(|chief| chief.of.clone()).unwrap_or_default();
        let rating = s.rating(name);
        let acts = !self.ready.is_empty() || reach::acting(self.v).is_some();
        let own = self.blank(name, hex);
        let ride = acts.then(|| ("ride".to_owned(), self.gait(Class::LD)));
        let s = &self.v.state;
        let fresh = self.ready.iter().find(|ready| ready.division == of).map_or(s, |ready| &ready.table);
        Own {
            division: of,
            facts: format!("range {}", rating.range),
            gaits: ride.into_iter().collect(),
            with: if acts { reach::rides_with(fresh, name) } else { Vec::new() },
            ..own
        }
    }

    /// What a unit can do, once its division acts.
    fn able(&mut self, id: &str, u: &Unit, mut own: Own) -> Own {
        let v = self.v;
        let acting = reach::acting(v);
        let called = self.ready.iter().find(|ready| ready.units.contains_key(id));
        let now = acting.and_then(|a| a.modes.get(&own.division)).filter(|_| u.going.ready).copied();
        let (table, points) = match (now, called) {
            (Some(how), _) => (v.state.clone(), vec![(how, u.going.ma)]),
            (None, Some(ready)) => (ready.table.clone(), ready.units.get(id).cloned().unwrap_or_default()),
            (None, None) => return own,
        };
        own.moves = acting.is_some_and(|a| a.mover.iter().any(|mover| mover == id));
        own.points = points.into_iter().map(|(how, points)| (word(how), points)).collect();
        let Some(going) = table.units.get(id).map(|u| &u.going) else { return own };
        (own.spent, own.turns) = (going.spent, going.turns);
        own.shuns = going.faced.iter().cloned().collect();
        // 8.0 They may have gone from where they stood.
        let now = going.shot_at.iter().find_map(|id| table.hex(id));
        own.shot = now.or(going.shot).map(|hex| hex.to_string());
        own.fires = reach::fires(&table, id);
        let (aims, eyes) = reach::aims(&table, id, &self.foes);
        own.aims = aims.iter().map(|(hour, at)| (u8::from(*hour).to_string(), words(at))).collect();
        own.eyes = words(&eyes);
        own.strikes = reach::strikes(&table, id);
        let charges = reach::charges(&table, id, &self.foes);
        own.charges = charges.iter().map(|(at, on)| (at.to_string(), words(on))).collect();
        self.paces(&table, id, &mut own);
        if v.state.is_dummy(id) {
            // H.12 It marches, and does nothing else.
            (own.fires, own.strikes) = (false, false);
            own.forms.clear();
            own.aims.clear();
            own.charges.clear();
        }
        if own.hex.is_empty() || !own.more.is_empty() {
            own.ready = self.tried(&table, &own);
        }
        own
    }

    /// How a unit of one hex goes in each formation, and which it may take.
    fn paces(&mut self, table: &State, id: &str, own: &mut Own) {
        let Some(kind) = table.kind(id).filter(|_| own.more.is_empty()) else { return };
        for form in FORMS {
            if let Some(class) = kind.class(form) {
                let place = self.gait(class);
                own.gaits.insert(form.word().to_owned(), place);
            }
        }
        let drill: Drill = reach::changes(table, id)
            .into_iter()
            .flatten()
            .map(|(from, to)| {
                let to = to.iter().map(|(form, cost)| (form.word().to_owned(), *cost)).collect();
                (from.word().to_owned(), to)
            })
            .collect();
        own.forms = reach::drills(table, id).iter().map(|form| form.word().to_owned()).collect();
        own.drill = Some(self.drills.iter().position(|other| *other == drill).unwrap_or_else(|| {
            self.drills.push(drill);
            self.drills.len() - 1
        }));
    }

    fn gait(&mut self, class: Class) -> usize {
        let next = self.gaits.len();
        *self.gaits.entry(class).or_insert(next)
    }
}
