import { t } from '@lingui/core/macro'
import { Button, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { DateInput } from '@mantine/dates'
import { IconCalendar, IconLock } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { type CataloguePlan, cycleBadge } from '#domain/catalogue.ts'
import { dateInWords, fullDay } from '#domain/dates.ts'
import { typedDay } from '#domain/days.ts'
import { formatMoney } from '#domain/money.ts'
import { datesInWords } from '#domain/months.ts'
import { dayOf, renewalDateProblem } from '#domain/renewal.ts'

interface CreateRenewalFormProps {
  provider: string
  plan: CataloguePlan
  /** YYYY-MM-DD, or null when cleared. */
  renewal: string | null
  onRenewal: (day: string | null) => void
  onNext: () => void
}

/** The first part of the last step: the price and cycle, which the provider sets, and the renewal date. */
export function CreateRenewalForm({ provider, plan, renewal, onRenewal, onNext }: CreateRenewalFormProps) {
  const [asked, setAsked] = useState(false)
  const now = new Date()
  const problem = renewalDateProblem(renewal, dayOf(now))
  const next = (event: FormEvent) => {
    event.preventDefault()
    setAsked(true)
    if (!problem) onNext()
  }
  const fixed = { readOnly: true, rightSection: <IconLock size={18} aria-hidden /> }
  return (
    <form onSubmit={next} noValidate>
      <Stack gap="lg">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <TextInput
            {...fixed}
            label={t`Price`}
            value={formatMoney(plan.price, 'EUR')}
            description={t`Set by ${provider}`}
            inputWrapperOrder={['label', 'input', 'description']}
          />
          <TextInput
            {...fixed}
            label={t`Billing cycle`}
            value={cycleBadge(plan.cycle)}
            description={t`Set by the plan`}
            inputWrapperOrder={['label', 'input', 'description']}
          />
        </SimpleGrid>
        <DateInput
          label={t`Next renewal date`}
          placeholder={t`Pick a day`}
          {...datesInWords}
          dateParser={typedDay}
          valueFormat={fullDay}
          getDayAriaLabel={fullDay}
          leftSection={<IconCalendar size={18} aria-hidden />}
          allowDeselect
          withAsterisk
          value={renewal}
          onChange={onRenewal}
          getDayProps={(day) => ({ disabled: day < dayOf(now) })}
          error={asked || (renewal && problem) ? problem : null}
          description={renewal && !problem ? t`Renews ${dateInWords(renewal, now)}` : undefined}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
        />
        <Button type="submit" fullWidth>
          {t`Next`}
        </Button>
      </Stack>
    </form>
  )
}
