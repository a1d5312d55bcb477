//! Smallest set of elements that must move to make a list ascend.

/// Returns the indices of the elements that are not in a longest ascending part of the list.
pub(super) fn out_of_order(list: &[usize]) -> Vec<usize> {
    // For each length, the index of the smallest element that ends an ascending part of it.
    let (mut ends, mut before): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
    for (index, value) in list.iter().enumerate() {
        let length = ends.partition_point(|end| list[*end] < *value);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() {
            ends.push(index);
        } else {
            ends[length] = index;
        }
    }
    let mut stays = vec![false; list.len()];
    let last = ends.last().copied();
    std::iter::successors(last, |index| before[*index]).for_each(|index| stays[index] = true);
    (0..list.len()).filter(|index| !stays[*index]).collect()
}

#[cfg(test)]
mod tests {
    use super::out_of_order;

    #[test]
    fn as_few_as_possible_move() {
        assert_eq!(out_of_order(&[1, 2, 3]), [0_usize; 0]);
        assert_eq!(out_of_order(&[9, 1, 2, 3]), [0]);
        assert_eq!(out_of_order(&[1, 5, 2, 3]), [1]);
        assert_eq!(out_of_order(&[3, 2, 1]).len(), 2);
    }
}
