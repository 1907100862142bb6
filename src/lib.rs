//! estafette: a play-by-email adjudicator for Napoleonic board wargames with hidden information.
//!
//! # Bird's-eye view
//!
//! A mail comes in; the gateway finds its seat and takes the general commands out; the rest are order lines. The host puts
//! them into the journal of the open leg and lets the ruleset play: sequential code that emits events, rolls dice, asks
//! questions, and stops where an answer is missing. Each event is told to each side as that side may see it; what was told
//! is kept beside the event. At a barrier the seat's view is projected from empty, the report is written from view and
//! sightings alone, and chain, rows, letters and dues are committed in one transaction: what an act appends to the chain is
//! one packed row, a segment. Then, and only then, the mail is handled and the letters are sent.
//!
//! Entry points: `gateway::Office::pass` (one pass of the daemon), `host::Game` (one hosted game), `rules::cx::decide`
//! (one leg), `rules::campaigns::play` (the sequence of play, read top to bottom), `cli::main`.
//!
//! # Architecture: layers, each importing only from below
//!
//! | layer | module | what lives there |
//! |---|---|---|
//! | 0 | `address` `hex` `ink` `lent` `memo` `noise` `plane` `shared` `text` `tls` `yaml` `fail` | mail addresses that can be written, hexes, drawings in SVG, the exact plane of maps without hexes, what is lent to a reader, answers kept while they are asked again, numbers that are no dice, values copied when changed, wrapping and columns, TLS to a server, YAML with line and cure, named places to kill at |
//! | 1 | `dice` `dsn` `fog` `map` `orders` `terms` | the dice protocol; the interface between truth and reports; the ground and its drawing; lines, verbs, faults, what was meant, conditions; deadlines and their calendar; addresses of databases |
//! | 2 | `rules` `rules::cx` `rules::staff` `rules::rehearsal` | the contract that every ruleset answers; the driver of one leg; several seats of a side; what a plan comes to |
//! | 2 | `rules::tactical` | what battles on hexes share: field, ground, ways, fronts, lines of sight, tables with two sides, tags, sums, charts, lodged sheets, what was meant by a line, what an umpire corrects |
//! | 3 | `rules::campaigns` | the 1X system, a module a chapter |
//! | 3 | `rules::austerlitz1805` | Austerlitz 1805 on the exact plane, a module a chapter; its head says where a rule stands |
//! | 3 | `rules::brave_fellows` | Durenstein 1805 on hexes, a module a chapter; its head says where a rule stands and what is missing |
//! | 3 | `rules::great_battles` | Great Battles: battalions on hexes, with formations and facing, a module a chapter; its head says what is missing |
//! | 4 | `report` `bot` `scenario` `handbook` | what a seat gets, from views alone: text, pictures, data for its order sheet; the own player; files of a scenario; the chapters that the program prints |
//! | 5 | `host` | one hosted game: legs, sheets, barriers, letters, reopening, snapshots, replay, what a replay shows |
//! | 6 | `games` `store` `mail` `clock` `config` `letter` | the list of rulesets; SQLite or PostgreSQL; MIME, pictures, Maildir, IMAP, SMTP, LMTP; the one clock; settings; templates |
//! | 7 | `gateway` `audit` `cases` `simulate` `demo` `tutorial` | the daemon; bundles and their verification; rule cases; whole games; nine lessons |
//! | 8 | `cli` | one function a command |
//!
//! # Where a rule of `campaigns` stands
//!
//! | paragraphs | chapter | module |
//! |---|---|---|
//! | 9-29, 417-429 | map, counters, manifests | `rules::campaigns::board`, `load`, `flow::setup` |
//! | the coloured exceptions | what a title does its own way | `rules::campaigns::exceptions`, `special` |
//! | 30-33 | intelligence, security | `intel`, `project`, each chapter's `event::sight`, `umpire` |
//! | 37, 50 | several seats of a side: whom a line or question is about, what each of them knows | `staff`, `ken` |
//! | 34-46 | leadership, spans, bonus | `pieces` |
//! | 49-71 | sequence of play, weather | `play`, `flow`, `flow::weather` |
//! | 72-107 | supply, lines of communication, points | `admin`, `situation` |
//! | 108-146 | replacements, the Organization Display, forces | `organization` |
//! | 147-174, 191-211 | commands, initiative, allowance | `march` |
//! | 154-165 | reinforcements | `march::enter` |
//! | 176-184 | movement and flight of the center | `march::center` |
//! | 187-189 | the Administrative March | `march::plotted` |
//! | 212-217, 232-240 | terrain costs, zones of control | `situation`, `tables::terrain` |
//! | 225-228 | multi-hex forces | `march::parts` |
//! | 230-231, 241-250 | vedettes, repulse | `march` |
//! | 61, 251-254 | bridges, trestles | `march::bridge`, `tables::bridging` |
//! | 255-260 | bridge trains, pontoons | `march::train`, `tables::bridging` |
//! | 262-270 | march attrition | `march::attrition`, `tables::attrition` |
//! | 271-288 | forage, crops | `march::forage`, `tables::terrain` |
//! | 293-294 | stacking, consolidation | `march::stack`, `retreat::drive` |
//! | 216, 234, 295, 360 | redoubts | `redoubts`, `entrenched`, `march::redoubt` |
//! | 297 | Forced March | `march` |
//! | 430-433 | the march before the first turn | `play`, `flow::weather`, `march::force` |
//! | 298-410 | combat | `combat`, one file a step |
//! | 138, 369-379 | retreat, displacement | `retreat` |
//! | 5, 395-397, 411-416 | morale and victory | `combat::morale`, `victory` |
//! | Solitaire 1-5 | forces that a march fixes | `march::fixing` |
//!
//! Charts are data under `scenarios/`; `rules::campaigns::tables` looks them up. The doc line of a function that obeys a
//! rule begins with its paragraph, so `grep -rn "¶242" src` finds every place.
//!
//! # Invariants
//!
//! - **I1 The core reads no clock, file, socket or environment.** Everything up to layer 5 is pure.
//! - **I2 Reports and bots cannot name truth.** A ruleset's `state` and events are private; a `Seen` is made by `fog` only.
//! - **I3 State is a fold of events**, and knowledge a second fold, of sightings as they were told.
//! - **I4 Parsing never fails.** A line gives an order or a fault.
//! - **I5 A roll depends only on its key**: seed, salt, label, count.
//! - **I6 Known facts are recomputed and compared** at every mail; a difference stops that game and no other.
//! - **I7 One act is one transaction**; sending comes after it, under a Message-ID that stays.
//! - **I8 Every order line gets a reply, from the seat's view alone.**
//!
//! `tests/it/house.rs` holds the layers and the house rules as data and fails on any breach; `house/knot.rs` counts the
//! files of `campaigns` that reach each other over the names that they take, and the count may only fall.

// Layer 0: values and small tools; nothing here knows a game.
pub mod address;
pub mod fail;
pub mod hex;
pub mod ink;
pub mod lent;
pub mod memo;
pub mod noise;
pub mod plane;
pub mod shared;
pub mod text;
pub mod tls;
pub mod yaml;
// Layer 1: the ground, the order sheet, and the interface between truth and reports.
pub mod dice;
pub mod dsn;
pub mod fog;
pub mod map;
pub mod orders;
pub mod terms;
// Layers 2 and 3: what every ruleset answers, and the rulesets.
pub mod rules;
// Layer 4: a scenario's files; letters, which are words alone.
pub mod bot;
pub mod handbook;
pub mod letter;
pub mod report;
pub mod scenario;
// Layer 5: one hosted game.
pub mod host;
// Layer 6: what touches the world: mail, the operator's settings, the time, the file.
pub mod clock;
pub mod config;
pub mod games;
pub mod mail;
pub mod store;
// Layer 7: the post office at work, and the audit of its games.
pub mod audit;
pub mod gateway;
// Layer 7: rule cases.
pub mod cases;
pub mod demo;
pub mod simulate;
pub mod tutorial;
// Layer 8: the command line.
pub mod cli;
