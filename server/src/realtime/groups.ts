// Sets of members by key: the listeners of a topic, the channels of a session.
export class Groups<Member> {
  readonly #byName = new Map<string, Set<Member>>()

  add(name: string, member: Member): void {
    const members = this.#byName.get(name) ?? new Set()
    this.#byName.set(name, members.add(member))
  }

  remove(name: string, member: Member): void {
    const members = this.#byName.get(name)
    if (members?.delete(member) && members.size === 0) this.#byName.delete(name)
  }

  size(name: string): number {
    return this.#byName.get(name)?.size ?? 0
  }

  /** A snapshot, so members may leave during iteration. */
  of(name: string): readonly Member[] {
    return [...(this.#byName.get(name) ?? [])]
  }
}
