const UNSEEN = /[\p{Default_Ignorable_Code_Point}\u2800]/gu

/** The number of visible characters, without surrounding space. Same as private.visible_length(). */
export function visibleLength(text: string): number {
  return [...text.replace(UNSEEN, '').trim()].length
}
