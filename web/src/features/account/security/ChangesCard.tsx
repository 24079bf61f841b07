import { t } from '@lingui/core/macro'
import { Badge, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '#lib/query.ts'
import { SECURITY } from '#lib/security.ts'
import { rpc } from '#lib/supabase.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { changeInWords } from './account-changes.messages.ts'

/** Recent changes to the signed-in person's ways to sign in, newest first. */
const accountChangesQuery = query({
  key: [...SECURITY, 'account-changes'],
  load: (signal) => rpc('recent_account_changes', {}, signal),
})

/**
 * Lists changes to the person's ways to sign in, so that they notice changes made by another person; renders nothing if
 * there are none.
 */
export function ChangesCard() {
  return (
    <Loaded
      of={useQuery(accountChangesQuery)}
      pending={null}
      failed={t`The changes could not be loaded`}
      empty={null}
    >
      {(changes) => (
        <SectionCard titleId="changes-title" title={t`Recent changes`}>
          <Text c="dimmed">{t`We email you each change with a link to undo it.`}</Text>
          {changes.map(({ kind, happened_at: at, undone_at: undone }) => (
            <Group key={`${kind} ${at}`} component="article" justify="space-between" gap="xs">
              <Group gap="xs">
                <Text fw={600}>{changeInWords(kind)}</Text>
                {undone && (
                  <Badge variant="light" color="gray">
                    {t`Undone`}
                  </Badge>
                )}
              </Group>
              <Text size="sm" c="dimmed">
                <RelativeDate date={at} />
              </Text>
            </Group>
          ))}
        </SectionCard>
      )}
    </Loaded>
  )
}
