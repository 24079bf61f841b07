import { t } from '@lingui/core/macro'
import { TextInput, type TextInputProps } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { amountIn, amountsIn } from '#domain/amounts.ts'
import { language } from '#lib/language.ts'

/** NaN for a text that is ambiguous or not an amount. */
export type TypedAmount = number | ''

export interface AmountInputProps extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange'> {
  value: TypedAmount
  onChange: (value: TypedAmount) => void
  decimals?: number
  /** Shows an amount from outside with all its decimals. */
  fixed?: boolean
  /** The step of the arrow keys. */
  step?: number
}

/** A field for an amount, in the notation of any language. If the text is ambiguous, asks which amount is meant. */
export function AmountInput({
  value,
  onChange,
  decimals = 2,
  fixed = false,
  step,
  error,
  ...props
}: AmountInputProps) {
  const [typed, setTyped] = useState('')
  const [focused, setFocused] = useState(false)
  const written = (amount: number, least = fixed ? decimals : 0) =>
    new Intl.NumberFormat(language, {
      useGrouping: false,
      minimumFractionDigits: least,
      maximumFractionDigits: 10,
    }).format(amount)
  const read = (text: string): TypedAmount => {
    if (text.trim() === '') return ''
    const amount = amountIn(text)
    return amount !== null && Number(amount.toFixed(decimals)) === amount ? amount : Number.NaN
  }
  // A value set from outside replaces the typed one.
  const isTyped = Object.is(read(typed), value)
  const shown = isTyped ? typed : value === '' ? '' : written(value)
  const [more, less] = amountsIn(shown)
  const doubt =
    more !== undefined && less !== undefined && !focused
      ? t`Is it ${written(more, 0)} or ${written(less, 0)}? Write thousands without a sign between them.`
      : null
  const change = (changed: string) => {
    setTyped(changed)
    onChange(read(changed))
  }
  const press = (event: KeyboardEvent) => {
    const by = { ArrowUp: step, ArrowDown: step && -step }[event.key]
    const amount = read(shown)
    if (by === undefined || Number.isNaN(amount)) return
    event.preventDefault()
    change(written(Number((Number(amount) + by).toFixed(decimals)), 0))
  }
  return (
    <TextInput
      {...props}
      inputMode="decimal"
      autoComplete="off"
      value={shown}
      error={doubt ?? error}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      onKeyDown={press}
      onFocus={(event) => {
        setFocused(true)
        props.onFocus?.(event)
      }}
      onBlur={(event) => {
        setFocused(false)
        props.onBlur?.(event)
      }}
    />
  )
}
