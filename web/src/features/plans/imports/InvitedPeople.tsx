import { t } from '@lingui/core/macro'
import { MultiSelect, SimpleGrid, Stack, Text } from '@mantine/core'
import { EmailInput } from '#ui/EmailInput.tsx'
import type { Choice } from './imports.ts'

interface InvitedPeopleProps {
  id: string
  /** The names of the people the plan is shared with. */
  others: readonly string[]
  /** The number of free places. */
  free: number
  choice: Choice
  onChange: (invite: Record<string, string>) => void
}

/**
 * Asks for the e-mail addresses of a group's people. If there are more people than free places, first asks who gets
 * one.
 */
export function InvitedPeople({ id, others, free, choice, onChange }: InvitedPeopleProps) {
  const invite = choice.invite ?? {}
  const chosen = others.filter((name) => others.length <= free || name in invite)
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {t`Whoever you give an address for is invited. The place is kept for them.`}
      </Text>
      {others.length > free && (
        <MultiSelect
          label={t`Whom do you invite?`}
          data={[...others]}
          value={chosen}
          maxValues={Math.max(free, 0)}
          searchable
          onChange={(names) => onChange(Object.fromEntries(names.map((name) => [name, invite[name] ?? ''])))}
        />
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        {chosen.map((name) => (
          <EmailInput
            key={name}
            id={`${id}-${name}`}
            label={t`Email of ${name}`}
            autoComplete="off"
            value={invite[name] ?? ''}
            onChange={({ currentTarget: { value } }) => onChange({ ...invite, [name]: value })}
          />
        ))}
      </SimpleGrid>
    </Stack>
  )
}
