import { plural, t } from '@lingui/core/macro'
import { Button, Checkbox, Group, NumberInput, Select, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { canBeShared, type Provider } from '#domain/catalogue.ts'
import { fullDay } from '#domain/dates.ts'
import { typedDay } from '#domain/days.ts'
import type { ImportedRow } from '#domain/imports/row.ts'
import { datesInWords } from '#domain/months.ts'
import { planName } from '#domain/plan-name.ts'
import { dayOf, defaultRenewalDate } from '#domain/renewal.ts'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { DateInput } from '#ui/dates.ts'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { ImportedPeople } from './ImportedPeople.tsx'
import { otherPrice, ownPlanInWords, planInWords, whyNot } from './imports.messages.ts'
import { ANSWERABLE, type Choice, type Fated, OWN } from './imports.ts'

interface ImportedPlanProps {
  row: ImportedRow
  fated: Fated
  choice: Choice
  /** True if the row is turned off and will not be imported. */
  off: boolean
  providers: readonly Provider[]
  /** All other names in the file. */
  known: readonly string[]
  /** The names of those who get a place. */
  people: readonly string[]
  onChange: (choice: Choice) => void
}

/** A row that can become a plan, with fields for the plan, its people, its places and its next payment day. */
export function ImportedPlan({
  row,
  fated,
  choice,
  off,
  providers,
  known,
  people,
  onChange,
}: ImportedPlanProps) {
  const { fate, params } = fated
  const missing = whyNot(row, fated)
  const isOwn = params.plan === OWN
  const change = (more: Choice) => onChange({ ...choice, ...more })
  const title = missing && !isOwn ? row.name : `${params.provider} ${planName(params.name ?? '')}`
  const [today, tomorrow] = [dayOf(new Date()), dayOf(new Date(Date.now() + 86_400_000))]
  return (
    <SurfaceCard component="article" aria-label={title}>
      <Stack gap="md">
        <Group gap="sm" wrap="nowrap" align="flex-start">
          <ProviderLogo provider={params.provider ?? row.name} size="line" />
          <Stack gap={2} flex={1} miw={0}>
            <Title order={3} size="h4" dir="auto" style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Title>
            <Text {...(missing ? { fw: 600 } : { c: 'dimmed' })}>
              {missing ?? (isOwn ? ownPlanInWords(fated) : planInWords(fated))}
            </Text>
            {!missing && (
              <Text size="sm" c="dimmed">
                {isOwn
                  ? row.entries > 1 &&
                    plural(row.entries, { one: 'Read from # entry.', other: 'Read from # entries.' })
                  : otherPrice(row, fated)}
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
              <PlanSelect {...{ row, fated, choice, providers, onChange }} />
              <NumberInput
                label={t`Places, yours included`}
                min={isOwn ? people.length + row.invite.length + 1 : 2}
                max={params.most ?? 2}
                allowDecimal={false}
                clampBehavior="strict"
                disabled={!params.plan}
                value={params.places ?? ''}
                onChange={(value) => typeof value === 'number' && change({ places: value })}
              />
              <DateInput
                label={isOwn ? t`Next payment day` : t`Next renewal date`}
                placeholder={t`Pick a day`}
                {...datesInWords}
                dateParser={typedDay}
                valueFormat={fullDay}
                getDayAriaLabel={fullDay}
                leftSection={<IconCalendar size={18} aria-hidden />}
                minDate={isOwn ? tomorrow : today}
                {...(isOwn && { maxDate: defaultRenewalDate(params.months ?? 1, today) })}
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
            {(isOwn || known.length > 0) && fate !== 'choose' && (
              <ImportedPeople {...{ fated, choice, known, people, change }} />
            )}
            {row.invite.length > 0 && <Text size="sm">{t`Will be invited: ${row.invite.join(', ')}`}</Text>}
          </>
        )}
      </Stack>
    </SurfaceCard>
  )
}

type PlanSelectProps = Pick<ImportedPlanProps, 'row' | 'fated' | 'choice' | 'providers' | 'onChange'>

/** Chooses between the terms of the file and the plans of the catalogue, if the row can be one of these. */
function PlanSelect({ row, fated: { fate, params }, choice, providers, onChange }: PlanSelectProps) {
  const isOpen = ANSWERABLE.includes(fate) || Boolean(choice.plan)
  const isRegular = row.unit === 'year' ? row.every === 1 : row.every === 1 || row.every === 12
  const offered =
    row.currency === 'EUR' && isRegular
      ? providers.filter(({ name }) => isOpen || name === (params.sold ?? params.provider))
      : []
  if (offered.length === 0) return null
  return (
    <Select
      label={t({ message: 'Plan', context: 'what a provider sells' })}
      searchable
      placeholder={t`Choose a plan`}
      data={[
        ...(row.price === null ? [] : [{ value: OWN, label: t`As in the file` }]),
        ...offered.map(({ name, plans }) => ({
          group: name,
          items: plans.filter(canBeShared).map((plan) => ({
            value: plan.id,
            label: `${plan.name.startsWith(name) ? '' : `${name} `}${planName(plan.name)}`,
          })),
        })),
      ]}
      value={fate === 'choose' ? (choice.plan ?? null) : (params.plan ?? null)}
      onChange={(plan) => {
        const { places: _ofAnother, ...rest } = choice
        onChange({ ...rest, plan })
      }}
    />
  )
}
