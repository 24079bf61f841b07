import { t } from '@lingui/core/macro'
import {
  Button,
  Card,
  NumberInput,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { digitsOf } from '@potluck/supabase/currency'
import { LIMITS } from '@potluck/supabase/limits'
import { useState } from 'react'
import { priceEach } from '#domain/catalogue.ts'
import { fullDay } from '#domain/dates.ts'
import { typedDay } from '#domain/days.ts'
import { equalShare } from '#domain/fees.ts'
import { formatMoney, roundCents } from '#domain/money.ts'
import { datesInWords } from '#domain/months.ts'
import { dayOf, defaultRenewalDate } from '#domain/renewal.ts'
import { language } from '#lib/language.ts'
import { AmountInput, type TypedAmount } from '#ui/AmountInput.tsx'
import { DateInput } from '#ui/dates.ts'
import { type OwnPlan, ownPlanSchema } from './own-plan.schema.ts'

interface OwnPlanFormProps {
  /** The service that the form begins with. */
  service?: string | undefined
  busy: boolean
  onSend: (plan: OwnPlan) => void
}

interface Values extends Omit<OwnPlan, 'price' | 'months' | 'people'> {
  price: TypedAmount
  months: number | string
  people: number | string
}

const CYCLES = [
  { value: '1', label: t`Monthly` },
  { value: '12', label: t`Yearly` },
  { value: '', label: t`Other` },
]

const names = new Intl.DisplayNames(language, { type: 'currency' })
const CURRENCIES = [...LIMITS.centCurrencies, ...LIMITS.wholeCurrencies]
  .map((value: string) => ({ value, label: `${value} · ${names.of(value) ?? value}` }))
  .sort((a, b) => a.value.localeCompare(b.value))

/** The form to share a plan of any service with people one knows. */
export function OwnPlanForm({ service = '', busy, onSend }: OwnPlanFormProps) {
  const today = dayOf(new Date())
  const schema = ownPlanSchema(today)
  const form = useForm<Values>({
    initialValues: {
      ...{ service, plan: '', price: '', currency: 'EUR', months: 1, people: LIMITS.defaultPlaces },
      ...{ renewal: today, website: '', note: '' },
    },
    validate: schemaResolver(schema, { sync: true }),
  })
  const { price, currency, months, people } = form.values
  const [isOther, setOther] = useState(false)
  const latest = typeof months === 'number' && months > 0 ? defaultRenewalDate(months, today) : undefined
  const send = form.onSubmit(
    (values) => onSend(schema.parse(values)),
    (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus(),
  )
  return (
    <form onSubmit={send} noValidate>
      <Stack gap="lg">
        <Card>
          <Stack gap="md">
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
              <TextInput
                label={t`Service`}
                placeholder={t`Kagi, Proton, your flat’s internet…`}
                withAsterisk
                {...form.getInputProps('service')}
              />
              <TextInput
                label={t`Plan name`}
                placeholder={t`Family`}
                withAsterisk
                {...form.getInputProps('plan')}
              />
              <AmountInput
                label={t`Price`}
                description={t`For the whole plan`}
                inputWrapperOrder={['label', 'input', 'error', 'description']}
                decimals={digitsOf(currency)}
                withAsterisk
                {...form.getInputProps('price')}
                value={price}
              />
              <Select
                label={t`Currency`}
                data={CURRENCIES}
                searchable
                allowDeselect={false}
                {...form.getInputProps('currency')}
              />
              <NumberInput
                label={t`People`}
                description={t`Including you`}
                inputWrapperOrder={['label', 'input', 'error', 'description']}
                allowDecimal={false}
                hideControls
                withAsterisk
                {...form.getInputProps('people')}
              />
            </SimpleGrid>
            <SegmentedControl
              data={CYCLES}
              aria-label={t`Billing cycle`}
              value={isOther ? '' : String(months)}
              onChange={(chosen) => {
                setOther(chosen === '')
                form.setFieldValue('months', chosen === '' ? 3 : Number(chosen))
              }}
            />
            {isOther && (
              <NumberInput
                label={t`Months of one payment`}
                allowDecimal={false}
                hideControls
                {...form.getInputProps('months')}
              />
            )}
            <DateInput
              label={t`Next payment day`}
              description={t`Everybody pays on this day, then each time the plan renews.`}
              inputWrapperOrder={['label', 'input', 'error', 'description']}
              {...datesInWords}
              dateParser={typedDay}
              valueFormat={fullDay}
              getDayAriaLabel={fullDay}
              minDate={today}
              {...(latest && { maxDate: latest })}
              withAsterisk
              {...form.getInputProps('renewal')}
            />
            <Shares {...{ price, currency, people, months }} />
          </Stack>
        </Card>
        <Card>
          <Stack gap="md">
            <TextInput
              label={t`Website (optional)`}
              type="url"
              inputMode="url"
              placeholder="https://example.com"
              {...form.getInputProps('website')}
            />
            <Textarea
              label={t`Note for members (optional)`}
              autosize
              minRows={2}
              maxRows={6}
              maxLength={LIMITS.longestPlanNote}
              {...form.getInputProps('note')}
            />
          </Stack>
        </Card>
        <Button type="submit" size="md" loading={busy} style={{ alignSelf: 'flex-start' }}>
          {t`Create Subscription`}
        </Button>
      </Stack>
    </form>
  )
}

/** What each member pays, and what is left for the owner. */
function Shares({
  price,
  currency,
  people,
  months,
}: Pick<Values, 'price' | 'currency' | 'people' | 'months'>) {
  if (typeof price !== 'number' || typeof people !== 'number' || typeof months !== 'number') return null
  if (!(price > 0 && people >= 2 && months >= 1)) return null
  const share = equalShare(price, people, currency)
  const own = roundCents(price - share * (people - 1))
  return (
    <Text role="status">
      {t`Each member pays you ${{ each: priceEach(formatMoney(share, currency), months) }}, and ${formatMoney(own, currency)} is yours to pay.`}
    </Text>
  )
}
