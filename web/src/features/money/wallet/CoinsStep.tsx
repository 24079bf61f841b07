import { t } from '@lingui/core/macro'
import { Switch } from '@mantine/core'
import { coinsInWords } from '#domain/coins.ts'
import { formatMoney } from '#domain/money.ts'

interface CoinsStepProps {
  available: number
  /** The part of the first month's `sum` that coins pay; both in EUR. */
  paid: number
  sum: number
  checked: boolean
  onChange: (checked: boolean) => void
}

/** The coins step of a join request: whether to use coins before the card, and how much they cover. */
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
