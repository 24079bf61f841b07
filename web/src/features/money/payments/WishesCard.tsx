import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { paymentTexts } from './payments.messages.ts'
import { WishForm } from './WishForm.tsx'
import { WishSummary } from './WishSummary.tsx'
import { useSaveWish } from './wishes.mutations.ts'
import { wishQuery } from './wishes.queries.ts'

/** How one likes to be paid by members who pay directly: shown, changed, taken back. */
export function WishesCard({ userId }: { userId: string }) {
  const { data: wish, error, isPending, refetch } = useQuery(wishQuery(userId))
  const [editing, setEditing] = useState(false)
  const save = useSaveWish(userId, () => setEditing(false))
  return (
    <SurfaceCard component="section" aria-labelledby="wishes-title" id="paid">
      <Stack gap="md">
        <Title order={2} id="wishes-title">
          How members pay you
        </Title>
        <Text c="dimmed">For plans whose members pay you directly. Nobody but those members sees it.</Text>
        {isPending && <Skeleton height={44} />}
        {error && wish === undefined && (
          <LoadAlert title={paymentTexts.wishesFailed} problem={error} onRetry={() => void refetch()} />
        )}
        {wish !== undefined && editing && (
          <WishForm
            wish={wish}
            busy={save.isPending}
            onSave={save.mutate}
            onCancel={() => setEditing(false)}
          />
        )}
        {wish !== undefined && !editing && (
          <>
            {wish ? <WishSummary wish={wish} /> : <Text>You have not said yet how you like to be paid.</Text>}
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
        )}
      </Stack>
    </SurfaceCard>
  )
}
