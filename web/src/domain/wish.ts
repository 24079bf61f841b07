/** How an owner wants to be paid by members who pay them directly. The database refuses the same. */
import { t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
import { toIban } from './iban.ts'

export type Wish =
  | { kind: 'iban'; iban: string; holder: string }
  | { kind: 'link'; link: string }
  | { kind: 'text'; note: string }

/** The form's values, for each kind. */
export interface WishForm {
  kind: Wish['kind']
  iban: string
  holder: string
  link: string
  note: string
}

/** The wish in a form. Fails with what is wrong, by field. */
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

/** Only https, so that following it runs nothing here, to a host in plain letters, as others look alike. */
function isSafeLink(link: string): boolean {
  return (
    /^https:\/\/([a-z\d-]+\.)+[a-z]{2,}(:\d+)?([/?#][^\s\\\p{C}]*)?$/iu.test(link) &&
    !/^https:\/\/([^/?#]*\.)?xn--/i.test(link) &&
    link.length <= LIMITS.longestPaymentLink
  )
}
