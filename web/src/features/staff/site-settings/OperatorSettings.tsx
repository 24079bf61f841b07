import { t } from '@lingui/core/macro'
import { Button, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { countryChoices } from '#domain/countries.ts'
import { type Operator, operatorQuery } from '#features/account/sellers/operator.queries.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { useMainButton } from '#ui/leads.ts'
import { SectionCard } from '#ui/SectionCard.tsx'
import { siteSettingsTexts } from './site-settings.messages.ts'
import { useChangeOperator } from './site-settings.mutations.ts'

/** Settings for who runs the site. */
export function OperatorSettings() {
  return (
    <Loaded of={useQuery(operatorQuery)} rows={3} failed={siteSettingsTexts.loadFailed}>
      {(operator) => <OperatorForm key={JSON.stringify(operator)} operator={operator} />}
    </Loaded>
  )
}

function OperatorForm({ operator }: { operator: Operator }) {
  const [draft, setDraft] = useState(operator)
  const change = useChangeOperator()
  const isChanged = JSON.stringify(draft) !== JSON.stringify(operator)
  const main = useMainButton()
  const field = (name: keyof Operator, label: string, maxLength: number = LIMITS.longestAddressLine) => ({
    label,
    maxLength,
    required: true,
    value: draft[name] ?? '',
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      setDraft({ ...draft, [name]: currentTarget.value || null }),
  })
  const extra = (name: keyof Operator, label: string, maxLength?: number) => ({
    ...field(name, label, maxLength),
    required: false,
    description: t`If you have one`,
  })
  return (
    <SectionCard titleId="operator-title" title={t`Who runs this site`} gap="lg" maw={640}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate(draft)
        }}
      >
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {t`Shown in the imprint, and on receipts, contracts and invoices.`}
          </Text>
          <TextInput {...field('name', t`Your name or company`)} autoComplete="organization" />
          <TextInput {...field('street', t`Street and number`)} autoComplete="street-address" />
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            <TextInput {...field('postcode', t`Postal code`, LIMITS.longestPostcode)} />
            <TextInput {...field('town', t`Town`)} />
            <Select
              label={t`Country`}
              data={countryChoices()}
              value={draft.country}
              required
              searchable
              allowDeselect={false}
              nothingFoundMessage={t`No country found`}
              onChange={(country) => setDraft({ ...draft, country })}
            />
          </SimpleGrid>
          <TextInput {...field('email', t`Email`)} type="email" autoComplete="email" />
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            <TextInput {...extra('phone', t`Telephone`, LIMITS.longestVatNumber)} type="tel" />
            <TextInput {...extra('register', t`Register and number`)} />
            <TextInput {...extra('vatNumber', t`VAT or tax number`, LIMITS.longestVatNumber)} />
          </SimpleGrid>
          <Group justify="flex-end">
            <Button type="submit" variant={main} loading={change.isPending} disabled={!isChanged}>
              {t`Save operator`}
            </Button>
          </Group>
        </Stack>
      </form>
    </SectionCard>
  )
}
