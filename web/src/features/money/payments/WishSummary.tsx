import { Text } from '@mantine/core'
import { formatIban } from '#domain/iban.ts'
import type { Wish } from '#domain/wish.ts'

/** A way to be paid, in a line or two. */
export function WishSummary({ wish }: { wish: Wish }) {
  return (
    <Text style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }} dir="auto">
      {wish.kind === 'iban' && `Transfer to ${wish.holder}, ${formatIban(wish.iban)}`}
      {wish.kind === 'link' && wish.link}
      {wish.kind === 'text' && wish.note}
    </Text>
  )
}
