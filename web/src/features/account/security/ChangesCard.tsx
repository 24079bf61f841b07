import { Badge, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { changeInWords } from './account-changes.messages.ts'
import { accountChangesQuery } from './account-changes.queries.ts'

/** What happened to the ways into the account, so that nobody else's doing goes unnoticed. */
export function ChangesCard() {
  const { data: changes, error, refetch } = useQuery(accountChangesQuery)
  return (
    <SurfaceCard component="section" aria-labelledby="changes-title">
      <Stack gap="md">
        <Title order={2} id="changes-title">
          What changed lately
        </Title>
        <Text c="dimmed">
          We mail you each of these, with a link that undoes it. Something here was not you? Open that mail.
        </Text>
        {!changes && !error && <RowsSkeleton rows={2} />}
        {!changes && error && (
          <LoadAlert title="The changes could not be loaded" problem={error} onRetry={() => void refetch()} />
        )}
        {changes?.length === 0 && <Text>Nothing in the last 90 days.</Text>}
        {changes?.map(({ kind, happened_at: at, undone_at: undone }) => (
          <Group key={`${kind} ${at}`} component="article" justify="space-between" gap="xs">
            <Group gap="xs">
              <Text fw={600}>{changeInWords(kind)}</Text>
              {undone && (
                <Badge variant="light" color="gray">
                  Undone
                </Badge>
              )}
            </Group>
            <Text size="sm" c="dimmed">
              <RelativeDate date={at} />
            </Text>
          </Group>
        ))}
      </Stack>
    </SurfaceCard>
  )
}
