import { Text, type TextProps } from '@mantine/core'
import { formatMoney } from '#domain/money.ts'

interface MoneyProps extends TextProps {
  amount: unknown
  currency?: string | null
  /** For instance "/ month", set smaller after the amount. */
  per?: string
}

/** An amount with its currency, in tabular figures. */
export function Money({ amount, currency, per, ...look }: MoneyProps) {
  return (
    <Text
      component="span"
      inherit
      style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}
      {...look}
    >
      {formatMoney(amount, currency)}
      {per && (
        <Text component="span" size="sm" fw={400} c="dimmed">
          {' '}
          {per}
        </Text>
      )}
    </Text>
  )
}
