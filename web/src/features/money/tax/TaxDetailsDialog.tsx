import { t } from '@lingui/core/macro'
import { Button, Checkbox, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { useState } from 'react'
import { countryChoices } from '#domain/countries.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { useFocusReturn } from '#ui/use-focus-return.ts'
import { type TaxDetails, useSaveTaxDetails } from './tax-details.queries.ts'

const NOTHING: TaxDetails = {
  ...{ firstName: '', lastName: '', birthDate: '', street: '', postcode: '', town: '', country: '' },
  taxNumbers: [{ number: '', country: '' }],
}

/** Indexes of the tax numbers that can be entered. */
const PLACES = Array.from({ length: LIMITS.mostTaxNumbers }, (_, at) => at)

interface TaxDetailsDialogProps {
  /** The stored details; null if there are none. */
  details: TaxDetails | null
  onClose: () => void
}

/** The form for tax details. Asks for the place of birth only if there is no tax number. */
export function TaxDetailsDialog({ details, onClose }: TaxDetailsDialogProps) {
  const [draft, setDraft] = useState(details ?? NOTHING)
  const save = useSaveTaxDetails(onClose)
  useFocusReturn()
  const set = (part: Partial<TaxDetails>) => setDraft({ ...draft, ...part })
  const { taxNumbers } = draft
  const setNumber = (at: number, part: Partial<TaxDetails['taxNumbers'][number]>) =>
    set({ taxNumbers: taxNumbers.map((one, n) => (n === at ? { ...one, ...part } : one)) })
  type TextField = Exclude<keyof TaxDetails, 'taxNumbers'>
  const field = (name: TextField, label: string, maxLength: number = LIMITS.longestAddressLine) => ({
    label,
    maxLength,
    required: name !== 'vatNumber',
    value: draft[name] ?? '',
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      set({ [name]: currentTarget.value }),
  })
  return (
    <Dialog opened onClose={() => save.isPending || onClose()} title={t`Your tax details`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate(draft)
        }}
      >
        <Stack gap="md">
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput {...field('firstName', t`First name`)} autoComplete="given-name" data-autofocus />
            <TextInput {...field('lastName', t`Last name`)} autoComplete="family-name" />
          </SimpleGrid>
          <TextInput {...field('birthDate', t`Date of birth`, 10)} type="date" autoComplete="bday" />
          <TextInput {...field('street', t`Street and number`)} autoComplete="address-line1" />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              {...field('postcode', t`Postal code`, LIMITS.longestPostcode)}
              autoComplete="postal-code"
            />
            <TextInput {...field('town', t`Town`)} autoComplete="address-level2" />
          </SimpleGrid>
          <CountryOf
            label={t`The country you live in`}
            value={draft.country}
            onChange={(country) =>
              set({
                country,
                // A tax number is nearly always from the country of residence.
                taxNumbers: taxNumbers.map((one) => ({ ...one, country: one.country || country })),
              })
            }
          />
          {PLACES.slice(0, taxNumbers.length).map((at) => (
            <SimpleGrid key={at} cols={{ base: 1, xs: 2 }}>
              <TextInput
                label={t`Tax number`}
                description={at === 0 ? t`Your personal one, such as the Steuer-ID in Germany` : undefined}
                maxLength={LIMITS.longestTaxNumber}
                required
                autoComplete="off"
                value={taxNumbers[at]?.number ?? ''}
                onChange={({ currentTarget }) => setNumber(at, { number: currentTarget.value })}
              />
              <CountryOf
                label={t`Issued by`}
                description={at === 0 ? t`The country that gave it to you` : undefined}
                value={taxNumbers[at]?.country ?? ''}
                onChange={(from) => setNumber(at, { country: from })}
              />
            </SimpleGrid>
          ))}
          {taxNumbers.length === 0 && (
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <TextInput {...field('birthTown', t`Where you were born`)} />
              <CountryOf
                label={t`In which country`}
                value={draft.birthCountry ?? ''}
                onChange={(birthCountry) => set({ birthCountry })}
              />
            </SimpleGrid>
          )}
          <Checkbox
            label={t`No country has given me a tax number`}
            checked={taxNumbers.length === 0}
            onChange={({ currentTarget }) =>
              set({ taxNumbers: currentTarget.checked ? [] : [{ number: '', country: draft.country }] })
            }
          />
          {taxNumbers.length > 0 && taxNumbers.length < PLACES.length && (
            <Button
              variant="subtle"
              style={{ alignSelf: 'start' }}
              onClick={() => set({ taxNumbers: [...taxNumbers, { number: '', country: '' }] })}
            >
              {t`Add one of another country`}
            </Button>
          )}
          <TextInput {...field('vatNumber', t`VAT number, if you have one`, LIMITS.longestVatNumber)} />
          <Text size="sm" c="dimmed">
            {t`Encrypted. As the law asks, we keep it for up to ten years after the last year in which you earned here, also if you close your account.`}
          </Text>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose} disabled={save.isPending}>
              {t`Not now`}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {t`Save tax details`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

interface CountryOfProps {
  label: string
  description?: string | undefined
  value: string
  onChange: (country: string) => void
}

const CountryOf = ({ value, onChange, ...field }: CountryOfProps) => (
  <Select
    {...field}
    data={countryChoices()}
    value={value || null}
    required
    searchable
    allowDeselect={false}
    nothingFoundMessage={t`No country found`}
    onChange={(country) => country && onChange(country)}
  />
)
