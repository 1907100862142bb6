//! A YAML document as a tree, out of which every struct is read.
//!
//! The reader makes large machine code for each type that it reads by itself: a fifth of the program.  So it reads one type
//! alone, the tree; and small code reads all the others out of that.

use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde_yaml::{Location, Spanned};
use std::fmt;

/// The name under which a value asks for its place; see [`super::At`].
pub(super) const PLACED: &str = "estafette value with its place";

/// A node as the reader takes it without being told what it should be.
pub(super) enum Node {
    /// A file without any value, which stands for an empty list and for an empty map.
    Empty,
    Nothing,
    Truth(bool),
    Whole(i128),
    Broken(f64),
    Text(String),
    List(Vec<Spanned<Node>>),
    Map(Vec<(Spanned<Node>, Spanned<Node>)>),
}

/// Why a node is not what is wanted, and where it stands.
#[derive(Debug)]
pub(super) struct Wrong {
    pub message: String,
    pub place: Option<(u64, u64)>,
}

/// A node in the text in which it stands.
#[derive(Clone, Copy)]
pub(super) struct Read<'t> {
    pub node: &'t Spanned<Node>,
    pub text: &'t str,
}

impl<'de> de::Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Node, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Node;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value, a list or a map")
            }

            fn visit_unit<E>(self) -> Result<Node, E> {
                Ok(Node::Nothing)
            }

            fn visit_bool<E>(self, truth: bool) -> Result<Node, E> {
                Ok(Node::Truth(truth))
            }

            fn visit_i64<E>(self, n: i64) -> Result<Node, E> {
                Ok(Node::Whole(n.into()))
            }

            fn visit_u64<E>(self, n: u64) -> Result<Node, E> {
                Ok(Node::Whole(n.into()))
            }

            fn visit_f64<E>(self, n: f64) -> Result<Node, E> {
                Ok(Node::Broken(n))
            }

            fn visit_str<E>(self, text: &str) -> Result<Node, E> {
                Ok(Node::Text(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
                let mut all = Vec::new();
                while let Some(item) = items.next_element()? {
                    all.push(item);
                }
                Ok(Node::List(all))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Node, A::Error> {
                let mut all = Vec::new();
                while let Some(entry) = entries.next_entry()? {
                    all.push(entry);
                }
                Ok(Node::Map(all))
            }
        }
        d.deserialize_any(Any)
    }
}

impl Wrong {
    fn new(message: &str) -> Wrong {
        Wrong { message: message.to_owned(), place: None }
    }

    fn unknown(what: &str, given: &str, expected: &[&str]) -> Wrong {
        let message = match expected {
            [] => format!("unknown {what} `{given}`, there are none"),
            some => format!("unknown {what} `{given}`, expected one of {}", some.join(", ")),
        };
        Wrong { message, place: None }
    }

    /// The innermost node is the one that is told of.
    fn at(mut self, read: Read<'_>) -> Wrong {
        let place = read.place();
        self.place.get_or_insert((place.line(), place.column()));
        self
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Wrong {}

impl de::Error for Wrong {
    fn custom<T: fmt::Display>(message: T) -> Wrong {
        Wrong::new(&message.to_string())
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Wrong {
        Wrong::unknown("field", field, expected)
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Wrong {
        Wrong::unknown("variant", variant, expected)
    }
}

impl<'t> Read<'t> {
    /// Reads a value of any type out of the node; what is wrong is told with the node's place.
    pub(super) fn into<'de, S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Wrong> {
        seed.deserialize(self).map_err(|wrong| wrong.at(self))
    }

    /// Where it stands, and for an alias where that does.
    fn place(self) -> Location {
        self.node.referenced
    }

    fn of(self, node: &'t Spanned<Node>) -> Read<'t> {
        Read { node, text: self.text }
    }

    /// A single value as text: numbers as they are written, with their zeros.
    fn word(self) -> Result<&'t str, Wrong> {
        match &self.node.value {
            Node::Text(text) => Ok(text),
            Node::Empty | Node::Nothing => Err(Wrong::new("A word is wanted here, and nothing stands")),
            Node::Truth(_) | Node::Whole(_) | Node::Broken(_) => self.written(),
            Node::List(_) | Node::Map(_) => Err(Wrong::new("A single value is wanted here, not a list or a map")),
        }
    }

    fn written(self) -> Result<&'t str, Wrong> {
        let span = self.node.defined.span();
        let part = || {
            let from = usize::try_from(span.byte_offset()?).ok()?;
            self.text.get(from..from.checked_add(usize::try_from(span.byte_len()?).ok()?)?)
        };
        part().map(str::trim).ok_or_else(|| Wrong::new("This value cannot be found again in its file"))
    }

    fn truth(self) -> Result<bool, Wrong> {
        match &self.node.value {
            Node::Truth(truth) => Ok(*truth),
            _ => Err(Wrong::new("Only true or false may stand here")),
        }
    }

    /// A whole number, also where it stands in quotes.
    fn whole<N: TryFrom<i128>>(self) -> Result<N, Wrong> {
        let n = match &self.node.value {
            Node::Whole(n) => Some(*n),
            Node::Text(text) => text.trim().parse().ok(),
            _ => None,
        };
        let n = n.and_then(|n| N::try_from(n).ok());
        n.ok_or_else(|| Wrong::new("A whole number is wanted here, or a smaller one"))
    }

    fn list(self) -> Result<Items<'t>, Wrong> {
        match &self.node.value {
            Node::List(items) => Ok(Items { of: self, rest: items.iter() }),
            Node::Empty => Ok(Items { of: self, rest: [].iter() }),
            _ => Err(Wrong::new("A list is wanted here")),
        }
    }

    fn map(self) -> Result<Entries<'t>, Wrong> {
        match &self.node.value {
            Node::Map(entries) => Ok(Entries { of: self, rest: entries.iter(), value: None }),
            Node::Empty => Ok(Entries { of: self, rest: [].iter(), value: None }),
            _ => Err(Wrong::new("A map of keys and values is wanted here")),
        }
    }

    /// The name of a variant, and what it holds.
    fn variant(self) -> Result<Variant<'t>, Wrong> {
        match &self.node.value {
            Node::Map(entries) => match entries.as_slice() {
                [(name, held)] => Ok(Variant { name: self.of(name), held: Some(self.of(held)) }),
                _ => Err(Wrong::new("One key alone is wanted here")),
            },
            _ => self.word().map(|_| Variant { name: self, held: None }),
        }
    }
}

/// The items of a list that are still to be read.
struct Items<'t> {
    of: Read<'t>,
    rest: std::slice::Iter<'t, Spanned<Node>>,
}

/// The entries of a map that are still to be read.
struct Entries<'t> {
    of: Read<'t>,
    rest: std::slice::Iter<'t, (Spanned<Node>, Spanned<Node>)>,
    value: Option<&'t Spanned<Node>>,
}

/// A variant of an enum.
struct Variant<'t> {
    name: Read<'t>,
    held: Option<Read<'t>>,
}

/// A value, then its line, then its column.
struct Place<'t> {
    of: Read<'t>,
    given: u8,
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Wrong;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Wrong> {
        self.rest.next().map(|item| self.of.of(item).into(seed)).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = Wrong;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Wrong> {
        let Some((key, value)) = self.rest.next() else { return Ok(None) };
        self.value = Some(value);
        self.of.of(key).into(seed).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Wrong> {
        let value = self.value.take().ok_or_else(|| Wrong::new("A value was asked for before its key"))?;
        self.of.of(value).into(seed)
    }
}

impl<'de> SeqAccess<'de> for Place<'_> {
    type Error = Wrong;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Wrong> {
        let place = self.of.place();
        self.given += 1;
        match self.given {
            1 => self.of.into(seed).map(Some),
            2 => seed.deserialize(place.line().into_deserializer()).map(Some),
            3 => seed.deserialize(place.column().into_deserializer()).map(Some),
            _ => Ok(None),
        }
    }
}

impl<'de, 't> EnumAccess<'de> for Variant<'t> {
    type Error = Wrong;
    type Variant = Variant<'t>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Variant<'t>), Wrong> {
        self.name.into(seed).map(|name| (name, self))
    }
}

impl<'t> Variant<'t> {
    fn held(self) -> Result<Read<'t>, Wrong> {
        self.held.ok_or_else(|| Wrong::new("Something is wanted behind this key"))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_> {
    type Error = Wrong;

    fn unit_variant(self) -> Result<(), Wrong> {
        match self.held.map(|held| &held.node.value) {
            None | Some(Node::Nothing) => Ok(()),
            Some(_) => Err(Wrong::new("This word stands alone, with nothing behind it")),
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Wrong> {
        self.held()?.into(seed)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_seq(self.held()?.list()?)
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_map(self.held()?.map()?)
    }
}

macro_rules! wholes {
    ($($asked:ident $given:ident),*) => {$(
        fn $asked<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
            visitor.$given(self.whole()?)
        }
    )*};
}

impl<'de> Deserializer<'de> for Read<'_> {
    type Error = Wrong;

    wholes!(
        deserialize_i8 visit_i8, deserialize_i16 visit_i16, deserialize_i32 visit_i32, deserialize_i64 visit_i64,
        deserialize_u8 visit_u8, deserialize_u16 visit_u16, deserialize_u32 visit_u32, deserialize_u64 visit_u64
    );

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match &self.node.value {
            Node::Empty | Node::Nothing => visitor.visit_unit(),
            Node::Truth(truth) => visitor.visit_bool(*truth),
            Node::Whole(n) => match (i64::try_from(*n), u64::try_from(*n)) {
                (_, Ok(n)) => visitor.visit_u64(n),
                (Ok(n), Err(_)) => visitor.visit_i64(n),
                (Err(_), Err(_)) => visitor.visit_i128(*n),
            },
            Node::Broken(n) => visitor.visit_f64(*n),
            Node::Text(text) => visitor.visit_str(text),
            Node::List(_) => visitor.visit_seq(self.list()?),
            Node::Map(_) => visitor.visit_map(self.map()?),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_bool(self.truth()?)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_str(self.word()?)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_str(self.word()?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_str(self.word()?)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_str(self.word()?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match &self.node.value {
            Node::Empty | Node::Nothing => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match &self.node.value {
            Node::Empty | Node::Nothing => visitor.visit_unit(),
            _ => Err(Wrong::new("Nothing may stand here")),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Wrong> {
        if name == PLACED {
            return visitor.visit_seq(Place { of: self, given: 0 });
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_seq(self.list()?)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_seq(self.list()?)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _len: usize,
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        visitor.visit_seq(self.list()?)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_map(self.map()?)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        visitor.visit_map(self.map()?)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        visitor.visit_enum(self.variant()?)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! { i128 u128 f32 f64 bytes byte_buf unit_struct }
}
