//! Where the source can be changed: each point with its place and what would stand there instead.

use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ExprBinary, ExprIf, ExprLit, ExprMethodCall, ExprUnary, Lit, Stmt, UnOp};

/// One possible change.
#[derive(Clone, Debug)]
pub struct Point {
    /// The file, from the package's root.
    pub file: String,
    pub line: usize,
    /// The function that it stands in.
    pub within: String,
    pub how: How,
    /// Bytes of the original.
    pub at: Range<usize>,
    /// What stands there, and what the mutant does instead, for people.
    pub was: String,
    pub becomes: String,
}

/// How it is written into the copy.
#[derive(Clone, Debug)]
pub enum How {
    /// Another expression in the place of this one.
    Instead(String),
    /// A condition that is never met.
    Never {
        /// Whether the condition is a chain with `let`, which cannot stand in brackets.
        chain: bool,
    },
    /// A statement left out.
    Dropped,
}

/// The points of a file, and how many cannot hold a branch because they are constants or patterns.
pub fn points(file: &str, text: &str) -> Result<(Vec<Point>, usize), syn::Error> {
    let tree = syn::parse_file(text)?;
    let mut finder = Finder { file, text, within: vec![], found: vec![], constant: 0, skipped: 0 };
    finder.visit_file(&tree);
    Ok((finder.found, finder.skipped))
}

struct Finder<'a> {
    file: &'a str,
    text: &'a str,
    within: Vec<String>,
    found: Vec<Point>,
    /// How deep in what the compiler computes.
    constant: usize,
    skipped: usize,
}

impl Finder<'_> {
    fn slice(&self, part: &impl Spanned) -> &str {
        &self.text[part.span().byte_range()]
    }

    fn add(&mut self, place: &impl Spanned, how: How, becomes: String) {
        if self.constant > 0 {
            self.skipped += 1;
            return;
        }
        let (at, line) = (place.span().byte_range(), place.span().start().line);
        let was = one_line(&self.text[at.clone()]);
        let within = self.within.last().cloned().unwrap_or_default();
        let becomes = one_line(&becomes);
        self.found.push(Point { file: self.file.to_owned(), line, within, how, at, was, becomes });
    }

    fn instead(&mut self, place: &impl Spanned, by: String) {
        self.add(place, How::Instead(by.clone()), by);
    }

    fn constant(&mut self, inner: impl FnOnce(&mut Self)) {
        self.constant += 1;
        inner(self);
        self.constant -= 1;
    }

    fn function(&mut self, sig: &syn::Signature, inner: impl FnOnce(&mut Self)) {
        self.within.push(sig.ident.to_string());
        let deeper = usize::from(sig.constness.is_some());
        self.constant += deeper;
        inner(self);
        self.constant -= deeper;
        self.within.pop();
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a chain of conditions binds names.
fn binds(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(b) if matches!(b.op, BinOp::And(_)) => binds(&b.left) || binds(&b.right),
        _ => false,
    }
}

/// Whether a block only leaves: `return …` or `continue`.
fn leaves(block: &syn::Block) -> bool {
    matches!(block.stmts.as_slice(), [Stmt::Expr(Expr::Return(_) | Expr::Continue(_), _)])
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, |f| visit::visit_block(f, &item.block));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.sig, |f| visit::visit_block(f, &item.block));
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.constant(|f| visit::visit_item_const(f, item));
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.constant(|f| visit::visit_impl_item_const(f, item));
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.constant(|f| visit::visit_item_static(f, item));
    }

    fn visit_pat(&mut self, pat: &'ast syn::Pat) {
        self.constant(|f| visit::visit_pat(f, pat));
    }

    fn visit_type(&mut self, ty: &'ast syn::Type) {
        self.constant(|f| visit::visit_type(f, ty));
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.constant(|f| visit::visit_variant(f, variant));
    }

    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
        self.constant(|f| f.visit_expr(&repeat.len));
    }

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_expr_binary(&mut self, e: &'ast ExprBinary) {
        let (left, right) = (self.slice(&e.left).to_owned(), self.slice(&e.right).to_owned());
        let op = match e.op {
            BinOp::Lt(_) => Some("<="),
            BinOp::Le(_) => Some("<"),
            BinOp::Gt(_) => Some(">="),
            BinOp::Ge(_) => Some(">"),
            BinOp::Eq(_) => Some("!="),
            BinOp::Ne(_) => Some("=="),
            BinOp::And(_) if !binds(&e.left) && !binds(&e.right) => Some("||"),
            BinOp::Or(_) => Some("&&"),
            _ => None,
        };
        if let Some(op) = op {
            self.instead(e, format!("({left}) {op} ({right})"));
        } else if matches!(e.op, BinOp::Add(_) | BinOp::Sub(_)) {
            self.instead(e, left);
        }
        visit::visit_expr_binary(self, e);
    }

    fn visit_expr_unary(&mut self, e: &'ast ExprUnary) {
        if matches!(e.op, UnOp::Not(_)) {
            let inner = self.slice(&e.expr).to_owned();
            self.instead(e, inner);
        }
        visit::visit_expr_unary(self, e);
    }

    fn visit_expr_method_call(&mut self, e: &'ast ExprMethodCall) {
        if e.args.len() == 1 && matches!(e.method.to_string().as_str(), "min" | "max") {
            let receiver = self.slice(&e.receiver).to_owned();
            self.instead(e, receiver);
        }
        visit::visit_expr_method_call(self, e);
    }

    fn visit_expr_lit(&mut self, e: &'ast ExprLit) {
        let Lit::Int(number) = &e.lit else { return };
        if let Ok(value) = number.base10_parse::<u64>() {
            self.instead(e, format!("{}{}", value + 1, number.suffix()));
        }
    }

    fn visit_expr_if(&mut self, e: &'ast ExprIf) {
        if e.else_branch.is_none() && leaves(&e.then_branch) {
            let becomes = format!("never: {}", self.slice(&e.then_branch));
            self.add(&*e.cond, How::Never { chain: binds(&e.cond) || matches!(*e.cond, Expr::Let(_)) }, becomes);
        }
        visit::visit_expr_if(self, e);
    }

    fn visit_stmt(&mut self, stmt: &'ast Stmt) {
        if let Stmt::Expr(Expr::Binary(b), Some(_)) = stmt
            && matches!(b.op, BinOp::AddAssign(_) | BinOp::SubAssign(_))
        {
            self.add(stmt, How::Dropped, "nothing".to_owned());
        }
        visit::visit_stmt(self, stmt);
    }
}
