//! Notices to subscribers, and their subscriptions.

use super::zmtp::{self, SocketType};
use std::io::{self, Read};
use std::net::{Shutdown, TcpStream};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Time in which a subscriber must take a notice.
const PATIENCE: Duration = Duration::from_millis(100);
/// Largest number of subscriptions of a subscriber.
const MOST_TOPICS: usize = 64;
/// Largest number of bytes of a topic.
const MOST_TOPIC: usize = 255;

/// Subscriber, with the beginnings of messages that it wants.
#[derive(Debug)]
struct Subscriber {
    number: u64,
    stream: TcpStream,
    topics: Vec<Vec<u8>>,
}

/// Subscribers of notices.
#[derive(Debug, Default)]
pub(crate) struct Notices {
    subscribers: Mutex<(u64, Vec<Subscriber>)>,
}

impl Notices {
    fn lock(&self) -> MutexGuard<'_, (u64, Vec<Subscriber>)> {
        self.subscribers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Serves a subscriber until it is gone.
    pub(crate) fn serve(&self, mut stream: &TcpStream) -> io::Result<()> {
        zmtp::introduce(stream, SocketType::Publish)?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let number = {
            let (last, list) = &mut *self.lock();
            *last += 1;
            list.push(Subscriber { number: *last, stream: stream.try_clone()?, topics: Vec::new() });
            *last
        };
        let read = self.subscriptions(&mut stream, number);
        self.lock().1.retain(|subscriber| subscriber.number != number);
        read
    }

    /// Reads subscriptions: the first byte is 1 to subscribe and 0 to end that.
    fn subscriptions(&self, stream: &mut impl Read, number: u64) -> io::Result<()> {
        loop {
            let message = zmtp::read_message(stream)?;
            let mut guard = self.lock();
            let found = guard.1.iter_mut().find(|subscriber| subscriber.number == number);
            let (Some(subscriber), [frame]) = (found, &*message) else { return Ok(()) };
            match frame.split_first() {
                Some((1, topic)) if subscriber.topics.len() < MOST_TOPICS && topic.len() <= MOST_TOPIC => {
                    subscriber.topics.push(topic.to_vec());
                }
                Some((0, topic)) => subscriber.topics.retain(|other| other != topic),
                _ => return Ok(()),
            }
        }
    }

    /// Publishes that a hook of a node was reached.
    pub(crate) fn publish(&self, uid: u16) {
        let mut number = [0; 4];
        // Without random numbers of the system, the number of the notice is 0.
        let _ = getrandom::fill(&mut number);
        let [a, b, c, d] = number;
        let (header, uid) = ([2, b'N', a, b, c, d], uid.to_string());
        self.lock().1.retain_mut(|subscriber| {
            let is_wanted = subscriber.topics.iter().any(|topic| header.starts_with(topic));
            let frames = [&header[..], uid.as_bytes()];
            let is_sent = !is_wanted || zmtp::write_message(&mut subscriber.stream, &frames).is_ok();
            if !is_sent {
                // It ends the thread that reads.
                let _ = subscriber.stream.shutdown(Shutdown::Both);
            }
            is_sent
        });
    }
}
