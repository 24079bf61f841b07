/** How an owner likes to be paid by members who pay them directly. The database refuses what is refused here. */
import { toIban } from './iban.ts'

export type Wish =
  | { kind: 'iban'; iban: string; holder: string }
  | { kind: 'link'; link: string }
  | { kind: 'text'; note: string }

/** The form, with what was typed for each kind. */
export interface WishForm {
  kind: Wish['kind']
  iban: string
  holder: string
  link: string
  note: string
}

/** As many characters as the database keeps. */
export const LONGEST_HOLDER = 70
export const LONGEST_LINK = 500
export const LONGEST_NOTE = 500

/** The wish that was typed. Fails with what is wrong, by field. */
export function readWish(
  form: WishForm,
): { wish: Wish } | { problems: Partial<Record<keyof WishForm, string>> } {
  if (form.kind === 'iban') {
    const iban = toIban(form.iban)
    const holder = form.holder.trim()
    if (iban && holder) return { wish: { kind: 'iban', iban, holder } }
    return {
      problems: {
        ...(!iban && { iban: 'This is not a valid IBAN. Please check it digit by digit.' }),
        ...(!holder && { holder: 'Whose account is it?' }),
      },
    }
  }
  if (form.kind === 'link') {
    const link = form.link.trim()
    if (isSafeLink(link)) return { wish: { kind: 'link', link } }
    return { problems: { link: 'Please enter an address that begins with https://' } }
  }
  const note = form.note.trim()
  return note
    ? { wish: { kind: 'text', note } }
    : { problems: { note: 'Please say how you would like to be paid.' } }
}

/** Nothing but a page of the web, so that pressing it runs nothing here. */
function isSafeLink(link: string): boolean {
  return /^https:\/\/[^\s/]+\.[^\s/]+/.test(link) && URL.canParse(link) && link.length <= LONGEST_LINK
}
