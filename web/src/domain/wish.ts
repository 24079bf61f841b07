/** The form for an owner's payment details. The database enforces the same rules. */
import { t } from '@lingui/core/macro'
import { toIban } from '@potluck/supabase/iban'
import { LIMITS } from '@potluck/supabase/limits'
import type { Wish } from '@potluck/supabase/wish'

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
  switch (form.kind) {
    case 'iban': {
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
    case 'link': {
      const link = form.link.trim()
      if (isSafeLink(link)) return { wish: { kind: 'link', link } }
      return { problems: { link: t`Please enter a link that starts with https://` } }
    }
    case 'text': {
      const note = form.note.trim()
      if (note) return { wish: { kind: 'text', note } }
      return { problems: { note: t`Please tell members how to pay you.` } }
    }
  }
}

/** Accepts only https, so that a link cannot run a script, and ASCII hosts, since other letters can imitate them. */
function isSafeLink(link: string): boolean {
  return (
    /^https:\/\/([a-z\d-]+\.)+[a-z]{2,}(:\d+)?([/?#][^\s\\\p{C}]*)?$/iu.test(link) &&
    !/^https:\/\/([^/?#]*\.)?xn--/i.test(link) &&
    link.length <= LIMITS.longestPaymentLink
  )
}
