/** How an owner wants to receive direct payments. The database enforces the same rules. */
import { t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
import { toIban } from './iban.ts'

export type Wish =
  | { kind: 'iban'; iban: string; holder: string }
  | { kind: 'link'; link: string }
  | { kind: 'text'; note: string }

/** The form's values for all kinds of payment. */
export interface WishForm {
  kind: Wish['kind']
  iban: string
  holder: string
  link: string
  note: string
}

/** Reads the form. Returns the problems by field if it is not valid. */
export function readWish(
  form: WishForm,
): { wish: Wish } | { problems: Partial<Record<keyof WishForm, string>> } {
  if (form.kind === 'iban') {
    const iban = toIban(form.iban)
    const holder = form.holder.trim()
    if (iban && holder) return { wish: { kind: 'iban', iban, holder } }
    return {
      problems: {
        ...(!iban && { iban: t`This IBAN is not valid. Please check each digit.` }),
        ...(!holder && { holder: t`Please enter the account holder’s name.` }),
      },
    }
  }
  if (form.kind === 'link') {
    const link = form.link.trim()
    if (isSafeLink(link)) return { wish: { kind: 'link', link } }
    return { problems: { link: t`Please enter a link that starts with https://` } }
  }
  const note = form.note.trim()
  return note
    ? { wish: { kind: 'text', note } }
    : { problems: { note: t`Please tell members how to pay you.` } }
}

/** Accepts only https, so that a link cannot run a script, and ASCII hosts, since other letters can imitate them. */
function isSafeLink(link: string): boolean {
  return (
    /^https:\/\/([a-z\d-]+\.)+[a-z]{2,}(:\d+)?([/?#][^\s\\\p{C}]*)?$/iu.test(link) &&
    !/^https:\/\/([^/?#]*\.)?xn--/i.test(link) &&
    link.length <= LIMITS.longestPaymentLink
  )
}
