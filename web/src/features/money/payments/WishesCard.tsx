import { Button, Group, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatIban } from '#domain/iban.ts'
import type { Wish } from '#domain/wish.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { paymentTexts } from './payments.messages.ts'
import { WishForm } from './WishForm.tsx'
import { useSaveWish, wishQuery } from './wishes.ts'

/** How an owner likes to be paid by members who pay directly: shown, changed, removed. */
export function WishesCard({ userId }: { userId: string }) {
  const wishes = useQuery(wishQuery(userId))
  const [editing, setEditing] = useState(false)
  const save = useSaveWish(userId, () => setEditing(false))
  return (
    <SectionCard titleId="wishes-title" title="How members pay you" id="paid">
      <Text c="dimmed">For plans whose members pay you directly. Nobody but those members sees it.</Text>
      <Loaded of={wishes} pending={<Skeleton height={44} />} failed={paymentTexts.wishesFailed}>
        {(wish) =>
          editing ? (
            <WishForm
              wish={wish}
              busy={save.isPending}
              onSave={save.mutate}
              onCancel={() => setEditing(false)}
            />
          ) : (
            <>
              {wish ? (
                <WishSummary wish={wish} />
              ) : (
                <Text>You have not said yet how you like to be paid.</Text>
              )}
              <Group gap="sm">
                <Button variant="default" onClick={() => setEditing(true)}>
                  {wish ? 'Change' : 'Say how members pay you'}
                </Button>
                {wish && (
                  <Button
                    variant="subtle"
                    color="beet"
                    loading={save.isPending}
                    onClick={() => save.mutate(null)}
                  >
                    Remove
                  </Button>
                )}
              </Group>
            </>
          )
        }
      </Loaded>
    </SectionCard>
  )
}

/** A way to be paid, in a line or two. */
function WishSummary({ wish }: { wish: Wish }) {
  return (
    <Text style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }} dir="auto">
      {wish.kind === 'iban' && `Transfer to ${wish.holder}, ${formatIban(wish.iban)}`}
      {wish.kind === 'link' && wish.link}
      {wish.kind === 'text' && wish.note}
    </Text>
  )
}
