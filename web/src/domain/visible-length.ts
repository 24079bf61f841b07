const UNSEEN = /[\p{Default_Ignorable_Code_Point}\u2800]/gu

/** Characters of a text as people count them: nothing around it, nothing invisible. As private.visible_length() does. */
export function visibleLength(text: string): number {
  return [...text.replace(UNSEEN, '').trim()].length
}
