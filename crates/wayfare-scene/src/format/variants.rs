//! Keys of tables that follow from the library's lists of variants: conditions, exit actions and
//! arrivals.

use wayfare::parameter::{Kind, Variant, Variants};
use wayfare::vector::Vector;

use super::described::{is_equal, key_of};
use super::{Key, KeyDefault};
use crate::decode::{Decoder, TableNode};

/// The number of keys of all variants.
pub(super) const fn count_keys(list: &[Variant]) -> usize {
    let (mut count, mut i) = (0, 0);
    while i < list.len() {
        count += list[i].parameters.len();
        i += 1;
    }
    count
}

/// The keys of all variants.
pub(super) const fn keys<const N: usize>(list: &[Variant]) -> [Key; N] {
    let mut all = [variant_key(&list[list.len() - 1], 0); N];
    let (mut i, mut at) = (0, 0);
    while i < list.len() {
        let mut k = 0;
        while k < list[i].parameters.len() {
            all[at] = variant_key(&list[i], k);
            (k, at) = (k + 1, at + 1);
        }
        i += 1;
    }
    all
}

/// The number of variants with keys; the others are words.
pub(super) const fn count_tables(list: &[Variant]) -> usize {
    let (mut count, mut i) = (0, 0);
    while i < list.len() {
        count += !list[i].parameters.is_empty() as usize;
        i += 1;
    }
    count
}

/// The names of the variants with keys, as sets of keys of which exactly one must be given.
pub(super) const fn one_of<const N: usize>(
    list: &'static [Variant],
) -> [&'static [&'static str]; N] {
    let mut all: [&[&str]; N] = [&[]; N];
    let (mut i, mut at) = (0, 0);
    while i < list.len() {
        if !list[i].parameters.is_empty() {
            all[at] = core::slice::from_ref(&list[i].name);
            at += 1;
        }
        i += 1;
    }
    all
}

/// The keys, one of them with a default and an example as TOML writes them.
pub(super) const fn with_default<const N: usize>(
    mut keys: [Key; N],
    name: &str,
    default: &'static str,
    example: &'static str,
) -> [Key; N] {
    let mut i = 0;
    while i < N {
        if is_equal(keys[i].name, name) {
            keys[i] = Key { default: KeyDefault::Text(default), example, ..keys[i] };
        }
        i += 1;
    }
    keys
}

/// The number of pairs of a key and another key that it needs beside it.
pub(super) const fn count_needs(list: &[Variant]) -> usize {
    let (mut count, mut i) = (0, 0);
    while i < list.len() {
        let mut k = 1;
        while k < list[i].parameters.len() {
            count += 1 + list[i].parameters[k].required as usize;
            k += 1;
        }
        i += 1;
    }
    count
}

/// Each further key of a variant needs the first one; that one needs the required ones.
pub(super) const fn needs<const N: usize>(list: &[Variant]) -> [(&'static str, &'static str); N] {
    let mut all = [("", ""); N];
    let (mut i, mut at) = (0, 0);
    while i < list.len() {
        let parameters = list[i].parameters;
        let mut k = 1;
        while k < parameters.len() {
            all[at] = (parameters[k].name, list[i].name);
            at += 1;
            if parameters[k].required {
                all[at] = (list[i].name, parameters[k].name);
                at += 1;
            }
            k += 1;
        }
        i += 1;
    }
    all
}

const fn variant_key(variant: &Variant, index: usize) -> Key {
    let key = key_of(&variant.parameters[index]);
    // The first key names the variant. None is required, as each belongs to one variant.
    let doc = if index == 0 { variant.doc } else { key.doc };
    Key { required: false, doc, ..key }
}

impl Decoder {
    /// The variant with the values of its keys; `None` where one of them cannot be read or a
    /// required one is missing. Conditions inside it are not read here.
    pub(super) fn variant<V: Vector, T: Variants<V>>(
        &mut self,
        keys: TableNode<'_>,
        variant: &Variant,
    ) -> Option<T> {
        let mut read = T::from_name(variant.name);
        for parameter in variant.parameters {
            // Read where the condition is.
            let is_condition =
                matches!(parameter.kind, Kind::Condition | Kind::Conditions | Kind::State);
            match keys.get(parameter.name) {
                None if parameter.required => read = None,
                Some(node) if !is_condition => {
                    let value = self.value(parameter.name, parameter.kind, node);
                    read = read.zip(value).and_then(|(mut read, value)| {
                        read.set(parameter.name, value).then_some(read)
                    });
                }
                _ => {}
            }
        }
        read
    }
}
