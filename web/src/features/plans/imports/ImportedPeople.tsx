import { t } from '@lingui/core/macro'
import { SimpleGrid, Stack, TagsInput, Text } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { formatMoney } from '#domain/money.ts'
import { EmailInput } from '#ui/EmailInput.tsx'
import { type Choice, type Fated, OWN } from './imports.ts'

interface ImportedPeopleProps {
  fated: Fated
  choice: Choice
  /** All other names in the file. */
  known: readonly string[]
  people: readonly string[]
  change: (more: Choice) => void
}

/**
 * The people who get a place, by name, and what each pays. Each gets a link; in a plan of the catalogue, those with an
 * e-mail address are invited instead.
 */
export function ImportedPeople({ fated, choice, known, people, change }: ImportedPeopleProps) {
  const { key, params } = fated
  const invite = choice.invite ?? {}
  return (
    <Stack gap="xs">
      <TagsInput
        label={t`Who is in it, besides you?`}
        description={t`Each gets a link of their own. They need no account.`}
        data={[...known]}
        value={[...people]}
        maxTags={LIMITS.mostPeople - 1}
        maxLength={LIMITS.longestDisplayName}
        onChange={(names) =>
          change({ people: names.map((name) => name.trim()).filter((name) => name !== '') })
        }
      />
      {params.plan === OWN && (params.people ?? []).length > 0 && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {params.people
            ?.map(({ name, share }) => `${name}: ${formatMoney(share, params.currency)}`)
            .join(' · ')}
        </Text>
      )}
      {params.plan !== OWN && people.length > 0 && people.length < (params.most ?? 2) && (
        <>
          <Text size="sm" c="dimmed">
            {t`Whoever you give an address for is invited instead.`}
          </Text>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            {people.map((name) => (
              <EmailInput
                key={name}
                id={`import-${key}-${name}`}
                label={t`Email of ${name}`}
                autoComplete="off"
                value={invite[name] ?? ''}
                onChange={({ currentTarget: { value } }) => change({ invite: { ...invite, [name]: value } })}
              />
            ))}
          </SimpleGrid>
        </>
      )}
    </Stack>
  )
}
