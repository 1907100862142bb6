//! Drawing of hex maps in text.
