//! Events as bytes, for the ranks that ask for them.

use wayfare::crowd::{Event, GroupArrival};

/// The message of a rank.
#[derive(serde::Serialize, serde::Deserialize)]
struct Sent {
    events: Vec<Event>,
    arrivals: Vec<(bool, bool)>,
}

pub(crate) fn to_bytes(events: &[Event], arrivals: &[GroupArrival]) -> Vec<u8> {
    let arrivals = arrivals.iter().map(|arrival| (arrival.now, arrival.all)).collect();
    // Numbers and names are always encoded.
    serde_json::to_vec(&Sent { events: events.to_vec(), arrivals }).unwrap_or_default()
}

/// The events and arrivals that another rank has sent; none of bytes that are no events.
pub(crate) fn from_bytes(bytes: &[u8]) -> (Vec<Event>, Vec<GroupArrival>) {
    let Ok(Sent { events, arrivals }) = serde_json::from_slice(bytes) else {
        return (Vec::new(), Vec::new());
    };
    let arrival = |(now, all)| GroupArrival { now, all };
    (events, arrivals.into_iter().map(arrival).collect())
}
