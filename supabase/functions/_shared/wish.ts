/** How an owner wants to receive direct payments. */
export type Wish =
  | { kind: 'iban'; iban: string; holder: string }
  | { kind: 'link'; link: string }
  | { kind: 'text'; note: string }

interface WishRow {
  kind: string
  iban: string | null
  holder: string | null
  link: string | null
  note: string | null
}

/** The payment details in a row of `payment_wishes`, which has the columns of all kinds. */
export function toWish({ kind, iban, holder, link, note }: WishRow): Wish {
  const known = kind as Wish['kind']
  switch (known) {
    case 'iban':
      return { kind: known, iban: iban ?? '', holder: holder ?? '' }
    case 'link':
      return { kind: known, link: link ?? '' }
    case 'text':
      return { kind: known, note: note ?? '' }
  }
}

/** Payment details in a line or two. */
export function wishText(wish: Wish, formatIban = (iban: string) => iban): string {
  switch (wish.kind) {
    case 'iban':
      return `${wish.holder}, ${formatIban(wish.iban)}`
    case 'link':
      return wish.link
    case 'text':
      return wish.note
  }
}
