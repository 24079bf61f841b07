/** Returns the nodes of `from` and all nodes that `next` reaches from them, each once, in the order they are found. */
export function reach<Node>(
  from: Iterable<Node>,
  next: (node: Node) => Iterable<Node>,
  found = new Set<Node>(),
): Set<Node> {
  for (const node of from) {
    if (found.has(node)) continue
    found.add(node)
    reach(next(node), next, found)
  }
  return found
}
