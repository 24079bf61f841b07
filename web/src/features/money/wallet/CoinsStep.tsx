import { t } from '@lingui/core/macro'
import { Switch } from '@mantine/core'
import { coinsInWords } from '#domain/coins.ts'
import { formatMoney } from '#domain/money.ts'

interface CoinsStepProps {
  available: number
  /** How much of the first month's `sum` the coins pay; both in EUR. */
  paid: number
  sum: number
  checked: boolean
  onChange: (checked: boolean) => void
}

/** For a place paid through the site: whether a person's coins are used first, and how far they go. */
export function CoinsStep({ available, paid, sum, checked, onChange }: CoinsStepProps) {
  const reach =
    paid === sum
      ? t`They cover the whole first month.`
      : t`They cover ${formatMoney(paid)} of the first month, and your card pays ${formatMoney(sum - paid)}.`
  return (
    <Switch
      label={t`Use my coins first`}
      description={t`You have ${coinsInWords(available)}. ${reach}`}
      checked={checked}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  )
}
