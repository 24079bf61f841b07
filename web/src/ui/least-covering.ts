export type Box = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>

/**
 * Chooses the place for an overlay that covers the least. `spare` lists groups of elements that should stay visible,
 * most important first. If all places are equal, the first one wins.
 */
export function leastCovering<Place extends string>(
  places: Record<Place, Box>,
  spare: readonly (readonly Element[])[],
): Place {
  const covered = (place: Place) => spare.map((elements) => coveredBy(places[place], elements))
  const [first, ...others] = Object.keys(places) as [Place, ...Place[]]
  return others.reduce((best, other) => (isLess(covered(other), covered(best)) ? other : best), first)
}

/** The total area of these elements under a box, in px². */
export const coveredBy = (box: Box, elements: readonly Element[]) =>
  elements.reduce((sum, element) => sum + shared(box, element.getBoundingClientRect()), 0)

/** The page's headings, for {@link leastCovering}. */
export const headings = () => [...document.querySelectorAll('main :is(h1, h2, h3)')]

const shared = (one: Box, other: Box) =>
  Math.max(0, Math.min(one.right, other.right) - Math.max(one.left, other.left)) *
  Math.max(0, Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top))

/** Compares lexicographically: by the first position where the lists differ. */
function isLess(one: number[], other: number[]): boolean {
  const differs = one.findIndex((area, index) => area !== other[index])
  return differs >= 0 && (one[differs] ?? 0) < (other[differs] ?? 0)
}
