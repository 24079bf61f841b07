import { t } from '@lingui/core/macro'
import { Button, Checkbox, Group, NumberInput, Select, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { DateInput } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import { canBeShared, type Provider } from '#domain/catalogue.ts'
import { fullDay } from '#domain/dates.ts'
import { typedDay } from '#domain/days.ts'
import type { ImportedRow } from '#domain/imports/row.ts'
import { datesInWords } from '#domain/months.ts'
import { planName } from '#domain/plan-name.ts'
import { dayOf } from '#domain/renewal.ts'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { InvitedPeople } from './InvitedPeople.tsx'
import { otherPrice, planInWords, whyNot } from './imports.messages.ts'
import type { Choice, Fated } from './imports.ts'

interface ImportedPlanProps {
  row: ImportedRow
  fated: Fated
  choice: Choice
  /** True if the row is turned off and will not be imported. */
  off: boolean
  providers: readonly Provider[]
  /** The names of the people with whom the person shares the plan. */
  others: readonly string[]
  onChange: (choice: Choice) => void
}

/** A row that can become a plan, with fields for the plan, its places, its renewal date and the people to invite. */
export function ImportedPlan({ row, fated, choice, off, providers, others, onChange }: ImportedPlanProps) {
  const { fate, params } = fated
  const missing = whyNot(row, fated)
  const change = (more: Choice) => onChange({ ...choice, ...more })
  const offered = providers.filter(
    ({ name }) => fate === 'unknown' || choice.plan || name === params.provider,
  )
  const title = missing ? row.name : `${params.provider} ${planName(params.name ?? '')}`
  const id = `import-${fated.key}`
  return (
    <SurfaceCard component="article" aria-label={title}>
      <Stack gap="md">
        <Group gap="sm" wrap="nowrap" align="flex-start">
          <ProviderLogo provider={params.provider ?? row.name} size="line" />
          <Stack gap={2} flex={1} miw={0}>
            <Title order={3} size="h4" dir="auto" style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Title>
            <Text {...(missing ? { fw: 600 } : { c: 'dimmed' })}>{missing ?? planInWords(fated)}</Text>
            {!missing && (
              <Text size="sm" c="dimmed">
                {otherPrice(row, fated)}
              </Text>
            )}
          </Stack>
          {!missing && (
            <Checkbox
              aria-label={t`Bring along ${title}`}
              checked={!off}
              onChange={({ currentTarget }) => change({ off: !currentTarget.checked })}
            />
          )}
        </Group>
        {!missing && off && choice.off === undefined && (
          <Text size="sm">{t`The file does not say who pays for it. Tick it if you do.`}</Text>
        )}
        {(missing !== null || !off) && (
          <>
            <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
              <Select
                label={t({ message: 'Plan', context: 'what a provider sells' })}
                searchable
                placeholder={t`Choose a plan`}
                data={offered.map(({ name, plans }) => ({
                  group: name,
                  items: plans.filter(canBeShared).map((plan) => ({
                    value: plan.id,
                    label: `${plan.name.startsWith(name) ? '' : `${name} `}${planName(plan.name)}`,
                  })),
                }))}
                value={missing && fate !== 'date' ? (choice.plan ?? null) : (params.plan ?? null)}
                onChange={(plan) => {
                  const { places: _ofAnother, ...rest } = choice
                  onChange({ ...rest, plan })
                }}
              />
              <NumberInput
                label={t`Places, yours included`}
                min={2}
                max={params.most ?? 2}
                allowDecimal={false}
                clampBehavior="strict"
                disabled={!params.plan}
                value={params.places ?? ''}
                onChange={(value) => typeof value === 'number' && change({ places: value })}
              />
              <DateInput
                label={t`Next renewal date`}
                placeholder={t`Pick a day`}
                {...datesInWords}
                dateParser={typedDay}
                valueFormat={fullDay}
                getDayAriaLabel={fullDay}
                leftSection={<IconCalendar size={18} aria-hidden />}
                minDate={dayOf(new Date())}
                value={params.renews ?? choice.renews ?? null}
                onChange={(renews) => change({ renews })}
              />
            </SimpleGrid>
            {(params.dates ?? []).length > 0 && (
              <Group gap="xs">
                <Text size="sm" c="dimmed">
                  {t`The file may mean:`}
                </Text>
                {params.dates?.map((day) => (
                  <Button
                    key={day}
                    variant="default"
                    size="compact-md"
                    onClick={() => change({ renews: day })}
                  >
                    {fullDay(day)}
                  </Button>
                ))}
              </Group>
            )}
            {others.length > 0 && (
              <InvitedPeople
                {...{ id, others, choice }}
                free={(params.places ?? 2) - 1 - row.invite.length}
                onChange={(invite) => change({ invite })}
              />
            )}
            {row.invite.length > 0 && <Text size="sm">{t`Will be invited: ${row.invite.join(', ')}`}</Text>}
          </>
        )}
      </Stack>
    </SurfaceCard>
  )
}
