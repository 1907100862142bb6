//! The templates: the package's own, overridden file by file by those of a post office.

use super::{Context, Form, Written, filters, page, shape};
use minijinja::{Environment, ErrorKind, UndefinedBehavior};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// The templates by file name, with the package's own text.
pub const NAMES: &[(&str, &str)] = &[
    ("report.txt", include_str!("../../templates/report.txt")),
    ("answer.txt", include_str!("../../templates/answer.txt")),
    ("opening.txt", include_str!("../../templates/opening.txt")),
    ("receipt.txt", include_str!("../../templates/receipt.txt")),
    ("over.txt", include_str!("../../templates/over.txt")),
    ("umpire.txt", include_str!("../../templates/umpire.txt")),
    ("notice.txt", include_str!("../../templates/notice.txt")),
    ("plain.txt", include_str!("../../templates/plain.txt")),
    ("press.txt", include_str!("../../templates/press.txt")),
    ("neutral.txt", include_str!("../../templates/neutral.txt")),
    ("short.txt", include_str!("../../templates/short.txt")),
    ("sections.txt", include_str!("../../templates/sections.txt")),
    ("answers.txt", include_str!("../../templates/answers.txt")),
    ("check.txt", include_str!("../../templates/check.txt")),
    ("orders.txt", include_str!("../../templates/orders.txt")),
    ("help.txt", include_str!("../../templates/help.txt")),
    ("listed.txt", include_str!("../../templates/listed.txt")),
    ("flowing.txt", include_str!("../../templates/flowing.txt")),
    ("plates.txt", include_str!("../../templates/plates.txt")),
    ("theatre.txt", include_str!("../../templates/theatre.txt")),
];

/// The beginning of a template's first line, on which its subject stands.
const SUBJECT: &str = "Subject:";

/// Lines of a letter above which drawings are left out: those that come once in a game may be longer.
fn lines_max(name: &str) -> usize {
    match name {
        "opening.txt" | "over.txt" | "umpire.txt" => 200,
        _ => 150,
    }
}

/// The templates of a post office.
pub struct Templates {
    texts: Vec<(String, String)>,
    /// The templates as they have been read, one set for each form that was asked for.
    read: Mutex<Vec<(Leaf, Arc<Environment<'static>>)>>,
}

/// The form of a letter, and whether it is the page of HTML.
type Leaf = (Form, bool);

/// Why a letter cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LetterError {
    /// A file of `templates/` that is none of ours.
    #[error("templates/{name}: there is no letter of that name. The letters are: {known}.")]
    NoSuch {
        /// The file.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A template that cannot be read or filled.
    #[error("templates/{name}:{line}: {why}. Correct it, or delete the file to have the package's own.")]
    Bad {
        /// The file.
        name: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
}

impl Templates {
    /// The package's own templates with some replaced: pairs of file name and text.
    ///
    /// # Errors
    /// A file that is no letter, that cannot be read, or that names something letters do not have.
    pub fn new(overrides: &[(String, String)]) -> Result<Templates, LetterError> {
        let mut texts: Vec<(String, String)> = NAMES.iter().map(|(n, t)| ((*n).to_owned(), (*t).to_owned())).collect();
        for (name, text) in overrides {
            match texts.iter_mut().find(|(known, _)| known == name) {
                Some(entry) => entry.1.clone_from(text),
                None => {
                    let known = NAMES.iter().map(|(n, _)| *n).collect::<Vec<_>>().join(" ");
                    return Err(LetterError::NoSuch { name: name.clone(), known });
                }
            }
        }
        let templates = Templates { texts, read: Mutex::default() };
        templates.check()?;
        Ok(templates)
    }

    /// Fills a template. Where the letter grows too long, theatre maps are left out, then other maps but the first, the
    /// longest before the others; the letter says so.
    ///
    /// # Errors
    /// A template that cannot be filled.
    pub fn write(&self, name: &str, context: &Context, form: Form) -> Result<Written, LetterError> {
        self.fitted(name, context, form).map(|(written, _)| written)
    }

    /// The same letter as a page of HTML, from what its plain text is written from, and the names of the pictures that it
    /// shows.
    ///
    /// # Errors
    /// A template that cannot be filled.
    pub fn page(&self, name: &str, context: &Context, form: Form) -> Result<(String, Vec<String>), LetterError> {
        let context = match context.plates.is_empty() {
            true => self.fitted(name, context, form)?.1,
            // Pictures cost no lines.
            false => pictured(context),
        };
        let (subject, body) = self.fill(name, &context, (form, true))?;
        Ok(page::finish(&body, &subject, &form))
    }

    /// A part of a letter as a page of HTML has it, to be put into another one.
    ///
    /// # Errors
    /// A template that cannot be filled.
    pub fn marked(&self, name: &str, context: &Context, form: Form) -> Result<String, LetterError> {
        self.fill(name, &pictured(context), (form, true)).map(|(_, body)| body)
    }

    /// A letter no longer than it may be, and what of its context stands in it.
    fn fitted(&self, name: &str, context: &Context, form: Form) -> Result<(Written, Context), LetterError> {
        let mut context = context.clone().bounded();
        loop {
            let (subject, body) = self.fill(name, &context, (form, false))?;
            let subject = if form.ascii { crate::text::ascii(&subject) } else { subject };
            let written = Written { subject, body: shape::finish(&body, &form) };
            if shape::count(&written.body) <= lines_max(name) {
                return Ok((written, context));
            }
            let Some(at) = next_to_go(&context) else { return Ok((written, context)) };
            let map = context.maps.remove(at);
            context.left_out.push(map.title);
        }
    }

    /// The subject and the body of a filled template.
    fn fill(&self, name: &str, context: &Context, leaf: Leaf) -> Result<(String, String), LetterError> {
        let env = self.environment(leaf)?;
        let filled = env
            .get_template(name)
            .and_then(|t| t.render(minijinja::value::Serde(harmless(context))))
            .map_err(|why| bad(name, &why))?;
        Ok(match filled.split_once('\n') {
            Some((first, rest)) if first.starts_with(SUBJECT) => {
                (first.trim_start_matches(SUBJECT).trim().to_owned(), rest.to_owned())
            }
            _ => (String::new(), filled),
        })
    }

    fn environment(&self, leaf: Leaf) -> Result<Arc<Environment<'static>>, LetterError> {
        // Whoever broke off while he held the list has added nothing to it or all.
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, env)) = read.iter().find(|(known, _)| *known == leaf) {
            return Ok(Arc::clone(env));
        }
        let env = Arc::new(self.read(leaf)?);
        read.push((leaf, Arc::clone(&env)));
        Ok(env)
    }

    fn read(&self, (form, page): Leaf) -> Result<Environment<'static>, LetterError> {
        let mut env = Environment::new();
        env.set_undefined_behavior(UndefinedBehavior::Strict);
        let mut syntax = minijinja::syntax::SyntaxConfig::builder();
        syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
        env.set_syntax(syntax.build().map_err(|why| bad("report.txt", &why))?);
        env.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
        env.set_fuel(Some(1_000_000));
        filters::register(&mut env, form, page);
        env.add_global("narrow", form.narrow());
        env.add_global("width", form.width);
        env.add_global("page", page);
        for (name, text) in &self.texts {
            env.add_template_owned(name.clone(), text.clone()).map_err(|why| bad(name, &why))?;
        }
        Ok(env)
    }

    /// Finds names that letters do not have before a letter needs them.
    fn check(&self) -> Result<(), LetterError> {
        let env = self.environment((Form::WIDE, false))?;
        let known = known_names();
        for (name, text) in &self.texts {
            let template = env.get_template(name).map_err(|why| bad(name, &why))?;
            let mut strange: Vec<String> =
                template.undeclared_variables(false).into_iter().filter(|n| !known.contains(n)).collect();
            strange.sort();
            if let Some(word) = strange.first() {
                let line = text.lines().position(|l| l.contains(word.as_str())).map_or(1, |at| at + 1);
                let near = crate::text::nearest(word, known.iter().map(String::as_str));
                let hint = near.map(|w| format!("; did you mean {w}?")).unwrap_or_default();
                return Err(LetterError::Bad {
                    name: name.clone(),
                    line,
                    why: format!("nothing is called {word}{hint}"),
                });
            }
        }
        Ok(())
    }
}

/// What a page of HTML says: no drawing in letters stands on it whose picture does.
fn pictured(context: &Context) -> Context {
    let mut context = context.clone().bounded();
    if !context.plates.is_empty() {
        context.maps.retain(|map| !map.plated);
    }
    context
}

/// What a letter says, without the signs that would shape its page or its reader's screen: whatever a player writes, or a
/// scenario, is words. Parts that were filled already have gone through this.
fn harmless(context: &Context) -> serde_json::Value {
    let mut said = serde_json::to_value(context).unwrap_or_default();
    clean(&mut said);
    said
}

fn clean(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::String(text) if text.chars().any(shapes) => text.retain(|c| !shapes(c)),
        serde_json::Value::Array(all) => all.iter_mut().for_each(clean),
        serde_json::Value::Object(fields) => {
            for (_, field) in fields.iter_mut().filter(|(name, _)| *name != "page") {
                clean(field);
            }
        }
        _ => {}
    }
}

/// Control characters but for the end of a line and the tab, and those that nobody but programs agrees on.
fn shapes(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t')) || ('\u{e000}'..='\u{f8ff}').contains(&c)
}

/// The names that a template may use: the fields of [`Context`] and what the form gives.
fn known_names() -> BTreeSet<String> {
    let fields = serde_json::to_value(Context::default()).ok();
    let mut names: BTreeSet<String> =
        fields.as_ref().and_then(|v| v.as_object()).map(|o| o.keys().cloned().collect()).unwrap_or_default();
    names.extend(["narrow", "width", "page", "loop", "range", "namespace", "dict"].map(str::to_owned));
    names
}

/// The drawing that is left out next: the last theatre sheet, else the longest after the first, the last of equals.
fn next_to_go(context: &Context) -> Option<usize> {
    let theatre = context.maps.iter().rposition(|map| map.theatre);
    let others = || context.maps.iter().enumerate().skip(1).max_by_key(|(_, map)| map.lines.len()).map(|(at, _)| at);
    theatre.or_else(others)
}

fn bad(asked: &str, why: &minijinja::Error) -> LetterError {
    let name = why.name().unwrap_or(asked).to_owned();
    let detail = why.detail().unwrap_or_default();
    let said = match why.kind() {
        ErrorKind::UndefinedError => "a name that letters do not have is used".to_owned(),
        kind => kind.to_string(),
    };
    let why_text = if detail.is_empty() { said } else { format!("{said}: {detail}") };
    LetterError::Bad { name, line: why.line().unwrap_or(1), why: why_text }
}
