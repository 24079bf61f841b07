import { t } from '@lingui/core/macro'
import { Stack, Text } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { type CataloguePlan, cycleBadge } from '#domain/catalogue.ts'
import { dateInWords, fullDay } from '#domain/dates.ts'
import { typedDay } from '#domain/days.ts'
import { formatMoney } from '#domain/money.ts'
import { datesInWords } from '#domain/months.ts'
import { dayOf, renewalDateProblem } from '#domain/renewal.ts'
import { DateInput } from '#ui/dates.ts'
import classes from './Create.module.css'
import { CREATE_FORM } from './create-wizard.ts'

interface CreateRenewalFormProps {
  provider: string
  plan: CataloguePlan
  /** YYYY-MM-DD, or null when cleared. */
  renewal: string | null
  onRenewal: (day: string | null) => void
  onNext: () => void
}

/** The first part of the last step: the renewal date, and the price and cycle, which the provider sets. */
export function CreateRenewalForm({ provider, plan, renewal, onRenewal, onNext }: CreateRenewalFormProps) {
  const [asked, setAsked] = useState(false)
  const now = new Date()
  const problem = renewalDateProblem(renewal, dayOf(now))
  const next = (event: FormEvent) => {
    event.preventDefault()
    setAsked(true)
    if (!problem) onNext()
  }
  return (
    <form id={CREATE_FORM} onSubmit={next} noValidate>
      <Stack gap="lg">
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
        <div>
          <dl className={classes.fixed}>
            <Fixed label={t`Price`} value={formatMoney(plan.price, 'EUR')} />
            <Fixed label={t`Billing cycle`} value={cycleBadge(plan.cycle)} />
          </dl>
          <Text size="sm" c="dimmed" mt={4}>
            {t`Set by ${provider}`}
          </Text>
        </div>
      </Stack>
    </form>
  )
}

const Fixed = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </div>
)
