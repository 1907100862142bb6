//! The house's tables against history: six battles fought by the rules, each many times, with the strengths that the
//! scenarios give, and what they cost set beside what is published.
//!
//! One SP is about a thousand men (1792: five hundred). The bands were written down before the first roll, by one rule:
//! from two thirds of the least published loss to four thirds of the greatest, and never narrower than one SP. A decided
//! battle goes to its victor in 60 of 100 at least, a narrow one in 40, and one that both claimed in 25 to 75. Both sides
//! mean to stand four rounds where both armies fought all day, two in an affair of corps; a rear guard, which trades space
//! for time (¶298), and a cannonade are Pursuit. They stand no longer than their reserve and their leader allow (¶327, 330):
//! who puts in the last of his reserve fights on until he loses. The published figures were read in copies of encyclopaedias
//! and magazines; see [`Day::source`].
//!
//! Forces stand so that those fight who fought, and [`Day::orders`] says who attacked whom: one leader commands what he can
//! (¶35-39), and one force alone may attack a hex (¶306). Units of a corps that its leader cannot command stand with a
//! neighbour.
//!
//! The weather is the day's: snow at Eylau and at Dürenstein (obscurebattles.blogspot.com: "cold and snowing"), at Valmy a
//! soil soaked by long rain (Encyclopaedia Britannica, "Valmy"), fair on the others. The beaten are not chased where night
//! ended the fight or both armies stayed where they were; elsewhere as far as ¶381 allows.

use crate::scenario::files;
use estafette::host::Input;
use estafette::{games, simulate};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::thread;

/// One day of history.
struct Day {
    name: &'static str,
    scenario: &'static str,
    attacker: &'static str,
    /// Forces by side, as a scenario writes them.
    french: &'static [&'static str],
    coalition: &'static [&'static str],
    /// The rounds for which both stand; nothing for Pursuit at once.
    rounds: u32,
    /// Orders beside the plan that all hexes have, each with the side that gives it.
    orders: &'static [(&'static str, &'static str)],
    /// The weather of the day.
    weather: &'static str,
    /// Whether the victor went after the beaten on the same day.
    chased: bool,
    /// Least and greatest mean loss in tenths of a SP.
    french_loss: (u32, u32),
    coalition_loss: (u32, u32),
    /// Least and greatest share of days that the French win, of a hundred.
    french_wins: (u32, u32),
    /// Where the figures behind the bands stand.
    source: &'static str,
}

const DAYS: [Day; 6] = [
    Day {
        name: "Dürenstein 1805",
        scenario: "1805-moravia.yaml",
        attacker: "coalition",
        french: &[r#"{leader: mortier, hex: "0750", units: {gazan: 5, dupont: 4}, src: memory}"#],
        coalition: &[
            r#"{leader: miloradovich, hex: "0849", units: {milo: 6, maltitz: 6}, src: memory}"#,
            r#"{leader: dokhturov, hex: "0749", units: {dokh: 7, essen2: 5}, src: memory}"#,
        ],
        rounds: 2,
        // Miloradovich came along the river, Dokhturov over the hills into their rear; nobody commands both columns.
        orders: &[("coalition", "ATTACK 0750 WITH Miloradovich")],
        weather: "Snow",
        chased: false,
        french_loss: (27, 67),
        coalition_loss: (13, 67),
        french_wins: (25, 75),
        source: "Wikipedia, Battle of Dürenstein (copies at piglix.com and cryer.org.uk): about 24,000 against 8,000 to \
                 10,000; French about 4,000 or 5,000 lost, allies 2,000 to 5,000; both claimed it",
    },
    Day {
        name: "Schöngrabern 1805",
        scenario: "1805-moravia.yaml",
        attacker: "french",
        french: &[
            r#"{leader: murat, hex: "2244", units: {walther: 2, legrand: 8}, src: memory}"#,
            r#"{leader: lannes, under: murat, hex: "2244", units: {suchet: 7, grenadiers: 6, art5: 2}, src: memory}"#,
        ],
        coalition: &[r#"{leader: bagration, hex: "2243", units: {bagr_inf: 6, bagr_cav: 2}, src: memory}"#],
        rounds: 0,
        orders: &[],
        weather: "Fair",
        chased: true,
        french_loss: (8, 27),
        coalition_loss: (16, 40),
        french_wins: (60, 100),
        source: "Wikipedia, Battle of Schöngrabern (copies at kids.kiddle.co and frwiki.wiki): 20,600 to 30,000 against \
                 7,000 to 7,300; French 1,200 to 2,000 lost, Russians 2,402 to 3,000; a French victory",
    },
    Day {
        name: "Austerlitz 1805",
        scenario: "1805-moravia-nov30.yaml",
        attacker: "french",
        french: &[
            r#"{leader: napoleon, hex: "4023", units: {guardinf: 4}, src: memory}"#,
            r#"{leader: soult, hex: "4023", units: {sthilaire: 7, vandamme: 8, margaron: 1, art4: 2, guardcav: 1, guardart: 1}, src: memory}"#,
            r#"{leader: murat, hex: "4022", units: {nansouty: 1, dhautpoul: 1, walther: 2, beaumont: 2}, src: memory}"#,
            r#"{leader: lannes, under: murat, hex: "4022", units: {suchet: 7, caffarelli: 6, grenadiers: 6, kellermann: 1, art5: 2}, src: memory}"#,
            r#"{leader: davout, hex: "3925", units: {friant: 4, legrand: 8, bourcier: 2, art3: 1}, src: memory}"#,
            r#"{leader: bernadotte, hex: "3924", units: {rivaud: 6, drouet: 6, art1: 2}, src: memory}"#,
        ],
        coalition: &[
            r#"{leader: kutuzov, hex: "4024", units: {uvarov: 2, essencav: 1, rusart1: 3}, src: memory}"#,
            r#"{leader: miloradovich, under: kutuzov, hex: "4024", units: {milo: 6}, src: memory}"#,
            r#"{leader: kollowrat, under: kutuzov, hex: "4024", units: {koll: 9}, src: memory}"#,
            r#"{leader: constantine, under: kutuzov, hex: "4024", units: {rg_inf: 7, rg_cav: 2, rg_art: 2}, src: memory}"#,
            r#"{leader: buxhoewden, hex: "4025", src: memory}"#,
            r#"{leader: langeron, under: buxhoewden, hex: "4025", units: {lang: 6, kamensky: 5, rusart2: 3}, src: memory}"#,
            r#"{leader: dokhturov, under: buxhoewden, hex: "4025", units: {dokh: 7, wimp: 8}, src: memory}"#,
            r#"{leader: przybyszewski, under: buxhoewden, hex: "4025", units: {przy: 7}, src: memory}"#,
            r#"{leader: bagration, hex: "4123", units: {bagr_inf: 8, bagr_cav: 4, nostitz: 1}, src: memory}"#,
        ],
        rounds: 4,
        // Soult took the Pratzen while Murat and Lannes fought Bagration; Davout and Legrand gave up Telnitz and Sokolnitz to
        // gain time.
        orders: &[
            ("french", "ATTACK 4024 4123 WITH Napoleon, Murat LEAD Napoleon"),
            ("french", "ATTACK 4025 WITH Davout"),
            ("french", "BATTLE 4025 TYPE PURSUIT RESERVE NONE"),
        ],
        weather: "Fair",
        chased: true,
        french_loss: (59, 120),
        coalition_loss: (167, 480),
        french_wins: (60, 100),
        source: "Wikipedia, Battle of Austerlitz (copies at piglix.com and infomutt.com): 65,000 to 75,000 against 73,000 \
                 to 89,400; French 8,800 to 9,000 lost, allies 25,000 to 36,000; a French victory",
    },
    Day {
        name: "Eylau 1807",
        scenario: "1807-eylau.yaml",
        attacker: "french",
        french: &[
            r#"{leader: napoleon, hex: "1814", units: {guard_inf: 5}}"#,
            r#"{leader: soult, hex: "1814", units: {sthilaire: 7, leval: 7, legrand: 6, soult_cav: 1, soult_art: 2, guard_cav: 3, guard_art: 2}}"#,
            r#"{leader: augereau, hex: "1915", units: {desjardin: 6, heudelet: 6, aug_cav: 1, aug_art: 1}}"#,
            r#"{leader: davout, hex: "2015", units: {morand: 6, friant: 6, gudin: 5, davout_cav: 1, davout_art: 1}}"#,
            r#"{leader: murat, hex: "1915", units: {grouchy: 2, milhaud: 2, klein: 2, dhautpoul: 2}}"#,
        ],
        coalition: &[
            r#"{leader: bennigsen, hex: "1914", units: {rus_art1: 4}}"#,
            r#"{leader: sacken, under: bennigsen, hex: "1914", units: {sac_div: 7, ess_div: 6}}"#,
            r#"{leader: tutchkov, under: bennigsen, hex: "1914", units: {tut_div: 7, sed_div: 6, tut_cav: 2}}"#,
            r#"{leader: golitsyn, hex: "1813", units: {gol_div: 6, gol_cav: 4, rus_art2: 3}}"#,
            r#"{leader: ostermann, hex: "2014", units: {ost_div: 7}}"#,
            r#"{leader: bagration, hex: "2014", units: {bag_inf: 5, bag_cav: 3}}"#,
            r#"{leader: barclay, hex: "2014", units: {bar_inf: 4, bar_cav: 1}}"#,
            r#"{leader: dokhturov, hex: "1813", units: {dok_div: 7}}"#,
        ],
        rounds: 4,
        // Soult, Augereau and Murat attacked the centre by Eylau, Davout the left under Ostermann.
        orders: &[
            ("french", "ATTACK 1813 1914 WITH Napoleon, Murat LEAD Napoleon"),
            ("french", "ATTACK 2014 WITH Davout"),
        ],
        weather: "Frost+Snow",
        chased: false,
        french_loss: (67, 400),
        coalition_loss: (100, 333),
        french_wins: (25, 75),
        source: "Wikipedia, Battle of Eylau (copy at wikimili.com), and historyatlas.com: 75,000 against 76,000; French \
                 10,000 to 30,000 lost, Russians 15,000 to 25,000; undecided",
    },
    Day {
        name: "Valmy 1792",
        scenario: "1792-valmy.yaml",
        attacker: "coalition",
        french: &[
            r#"{leader: kellermann, hex: "1515", units: {kel_line: 16, kel_vol: 8, kel_cav: 6, kel_art: 4}}"#,
            r#"{leader: valence, under: kellermann, hex: "1515", units: {val_gren: 8, val_cav: 4}}"#,
            r#"{leader: stengel, hex: "1514", units: {ste_hus: 4, ste_inf: 3}}"#,
        ],
        coalition: &[
            r#"{leader: brunswick, hex: "1414", units: {pr_art: 8}}"#,
            r#"{leader: courbiere, under: brunswick, hex: "1414", units: {pr_guard: 12, pr_line1: 14, pr_line2: 14}}"#,
            r#"{leader: ingelfingen, under: brunswick, hex: "1414", units: {pr_fus: 8, pr_hus: 8}}"#,
        ],
        rounds: 0,
        // The infantry never closed, and cavalry does not attack from a crest (¶356): the guns alone fight.
        orders: &[("coalition", r#"BATTLE 1515 RESERVE Courbière, "Prussian fusiliers""#)],
        weather: "Mud",
        chased: false,
        french_loss: (4, 14),
        coalition_loss: (2, 12),
        french_wins: (60, 100),
        source: "Wikipedia, Battle of Valmy (copies at hubbry.com and grognards.forumgaming.fr): 34,000 against 36,000 to \
                 47,000; French 300 lost, Prussians 184 to 200; a French victory.  One SP is 500 men here",
    },
    Day {
        name: "Marengo 1800",
        scenario: "1800-marengo.yaml",
        attacker: "coalition",
        french: &[
            r#"{leader: bonaparte, hex: "1012", units: {consular_foot: 1, consular_horse: 1}}"#,
            r#"{leader: victor, hex: "1012", units: {chambarlhac: 4, gardanne: 4}}"#,
            r#"{leader: lannes, hex: "1012", units: {watrin: 6, rivaud_cav: 1}}"#,
            r#"{leader: desaix, hex: "1013", units: {boudet: 5, monnier: 3}}"#,
            r#"{leader: murat, hex: "1013", units: {kellermann_cav: 1, champeaux: 2}}"#,
            r#"{leader: marmont, hex: "1012", units: {reserve_art: 2}}"#,
        ],
        coalition: &[
            r#"{leader: melas, hex: "0913", units: {mel_art: 4}}"#,
            r#"{leader: hadik, under: melas, hex: "0913", units: {bellegarde: 4, pilatti: 2, lattermann: 4, weidenfeld: 3, knesevich: 4}}"#,
            r#"{leader: ott, under: melas, hex: "0913", units: {schellenberg: 6, vogelsang: 5, la_marseille: 3}}"#,
        ],
        rounds: 4,
        // Melas attacked with all; Kaim's division stands with Hadik and Ott.
        orders: &[],
        weather: "Fair",
        chased: true,
        french_loss: (37, 103),
        coalition_loss: (63, 187),
        french_wins: (40, 100),
        source: "Wikipedia, Battle of Marengo and its order of battle, and Britannica (copy at slovar-vocab.com): 24,000 to \
                 28,000 against 31,000; French 5,600 to 7,700 lost, Austrians 9,416 to 14,000; a narrow French victory",
    },
];

/// The scenario with the day's forces in the place of its own, and nobody to come.
fn staged(day: &Day) -> Vec<(String, String)> {
    let mut found = files(day.scenario);
    let Some((_, text)) = found.first_mut() else { return found };
    let (mut lines, mut block, mut side) = (Vec::new(), "", "");
    for line in text.lines() {
        if line.starts_with(|c: char| c.is_ascii_lowercase()) {
            block = line.split(':').next().unwrap_or_default();
        }
        if let ("sides", Some(name)) = (block, line.strip_prefix("  ").and_then(|l| l.strip_suffix(':'))) {
            side = if name.starts_with(' ') { side } else { name };
        }
        let force = block == "sides" && line.starts_with("    - {leader") || line.starts_with("    - {hex");
        if force || ["reinforcements", "replacements", "briefing"].contains(&block) {
            continue;
        }
        if let (true, Some((place, _))) = (block == "objectives", line.split_once(", points:")) {
            lines.push(format!("{place}, points: {{}}}}"));
            continue;
        }
        lines.push(match (block, line.split_once(": ")) {
            ("first_player", _) if line.starts_with(block) => format!("first_player: {}", day.attacker),
            ("weather", Some((turn, _))) if line.starts_with("  ") => format!("{turn}: {}", day.weather),
            _ => line.to_owned(),
        });
        if line == "    forces:" {
            let forces = if side == "french" { day.french } else { day.coalition };
            lines.extend(forces.iter().map(|force| format!("    - {force}")));
        }
    }
    *text = lines.join("\n") + "\n";
    for (_, text) in found.iter_mut().filter(|(path, _)| path.contains("tables/weather")) {
        *text = always(text, day.weather);
    }
    found
}

/// A weather table that knows the weather of one day only.
fn always(table: &str, weather: &str) -> String {
    let kept = table.lines().take_while(|line| *line != "chart:");
    let states = weather.replace('+', ", ");
    let six = [weather; 6].join(", ");
    let chart = format!("chart:\n  states: [{states}]\n  after_dry: [{six}]\n  after_rain_or_mud: [{six}]");
    kept.map(str::to_owned).chain([chart]).map(|line| line + "\n").collect()
}

/// What one play came to.
#[derive(Default)]
struct Fought {
    lost: BTreeMap<String, u32>,
    retreats: BTreeMap<String, u32>,
    battles: usize,
    /// Whether a battle ended with both where they were.
    contact: bool,
}

/// Hexes in which a side's forces stand at the start.
fn hexes(forces: &[&str]) -> Vec<String> {
    let mut found: Vec<String> =
        forces.iter().filter_map(|f| Some(f.split_once("hex: \"")?.1.get(..4)?.to_owned())).collect();
    found.sort();
    found.dedup();
    found
}

/// Plays the first combat phase of a day: nobody marches, both have the same plan, questions have their defaults.
fn fight(day: &Day, files: &[(String, String)], number: u64) -> Fought {
    let entry = games::find(games::GAMES, "campaigns").unwrap();
    let mut game = simulate::open(entry, files, number).unwrap_or_else(|flaws| panic!("{}: {flaws:?}", day.name));
    let types = match day.rounds {
        0 => "TYPE PURSUIT".to_owned(),
        n => format!("TYPE PITCHED ROUNDS {n} THEN PURSUIT"),
    };
    let plans = [types, (if day.chased { "PURSUE INTO ZOC" } else { "PURSUE NO" }).to_owned()];
    let defended = hexes(if day.attacker == "french" { day.coalition } else { day.french });
    let (mut input, mut fought) = (Input::Begin, Fought::default());
    for mail in 1..60 {
        let batch = game.take(input).unwrap_or_else(|broken| panic!("{}: {}", day.name, broken.why));
        for entry in batch.entries.iter().filter(|entry| entry.kind == "event") {
            let body: serde_json::Value = serde_json::from_str(&entry.body).unwrap();
            let event = &body["event"];
            let side = event["side"].as_str().unwrap_or_default().to_owned();
            match event["kind"].as_str() {
                Some("designated") => fought.battles += event["battles"].as_array().map_or(0, Vec::len),
                Some("took") => {
                    let sp = event["sp"].as_u64().and_then(|sp| u32::try_from(sp).ok()).unwrap_or(0);
                    *fought.lost.entry(side).or_default() += sp;
                }
                Some("retreated") => *fought.retreats.entry(side).or_default() += 1,
                Some("ended") => fought.contact |= event["how"] == "contact",
                _ => {}
            }
        }
        let Some(due) = batch.dues.first() else { break };
        if fought.battles > 0 && due.prompt.is_none() {
            break;
        }
        let lines: Vec<String> = match &due.prompt {
            Some(ask) => vec![ask.default.clone()],
            None => {
                let verb = if due.seat.0 == day.attacker { "BATTLE" } else { "DEFEND" };
                let all = defended.iter().flat_map(|hex| plans.iter().map(move |plan| format!("{verb} {hex} {plan}")));
                let own = day.orders.iter().filter(|(side, _)| *side == due.seat.0).map(|(_, line)| (*line).to_owned());
                all.chain(own).collect()
            }
        };
        let lines = lines.into_iter().map(|line| (1, line)).collect();
        let mail = format!("<{number}.{mail}@history>");
        input = Input::Orders { seat: due.seat.clone(), lines, end: due.prompt.is_none(), mail };
    }
    assert!(fought.battles > 0, "{}: nobody fought", day.name);
    fought
}

/// The mean of many plays: losses of both in tenths of a SP, and days that the French won, of a hundred. Who went back
/// more often has lost the day; where both went back as often it is half a day for each; where nobody did and both are
/// still face to face the attack has failed, and the day is the defender's.
fn means(day: &Day, plays: u64) -> (u32, u32, u32) {
    let files = staged(day);
    let (mut french, mut coalition, mut halves) = (0, 0, 0);
    for number in 1..=plays {
        let fought = fight(day, &files, number);
        let of = |sums: &BTreeMap<String, u32>, side: &str| sums.get(side).copied().unwrap_or(0);
        french += of(&fought.lost, "french");
        coalition += of(&fought.lost, "coalition");
        let failed = fought.contact && fought.retreats.is_empty();
        halves += match of(&fought.retreats, "french").cmp(&of(&fought.retreats, "coalition")) {
            Ordering::Less => 2,
            Ordering::Greater => 0,
            Ordering::Equal if !failed => 1,
            Ordering::Equal if day.attacker == "french" => 0,
            Ordering::Equal => 2,
        };
    }
    let plays = u32::try_from(plays).unwrap();
    (french * 10 / plays, coalition * 10 / plays, halves * 50 / plays)
}

/// Plays of each day: few, unless `BATTLES` asks for more.
fn plays() -> u64 {
    std::env::var("BATTLES").ok().and_then(|n| n.parse().ok()).unwrap_or(50)
}

#[test]
fn what_six_battles_cost_beside_history() {
    let all: Vec<_> = thread::scope(|scope| {
        let works: Vec<_> = DAYS.iter().map(|day| scope.spawn(move || means(day, plays()))).collect();
        works.into_iter().map(|work| work.join().unwrap()).collect()
    });
    let mut met = Vec::new();
    for (day, (french, coalition, wins)) in DAYS.iter().zip(all) {
        let within = |n: u32, (least, most): (u32, u32)| n >= least && n <= most;
        let fits =
            within(french, day.french_loss) && within(coalition, day.coalition_loss) && within(wins, day.french_wins);
        println!(
            "{}: French lose {french} of {:?}, coalition {coalition} of {:?}, French win {wins} of {:?}: {}  ({})",
            day.name,
            day.french_loss,
            day.coalition_loss,
            day.french_wins,
            if fits { "met" } else { "NOT MET" },
            day.source
        );
        met.extend(fits.then_some(day.name));
    }
    // Five of six were wanted, and five are met. Of 1,000 plays each (tenths of a SP; days of 100 that the French win):
    // Schöngrabern 20 and 29, 65; Austerlitz 111 and 180, 66; Eylau 158 and 181, 66; Valmy 11 and 3, 100; Marengo 73 and
    // 108, 51. At Dürenstein both lose what they lost, 57 and 64, but the French win 77: 1 more on the combat die in snow
    // (¶345) hurts who attacks, and that is the coalition in two half rounds of three. The tables are as they were.
    let held = ["Schöngrabern 1805", "Austerlitz 1805", "Eylau 1807", "Valmy 1792", "Marengo 1800"];
    assert!(held.iter().all(|day| met.contains(day)), "{met:?}");
}
