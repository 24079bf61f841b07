import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Group, Text } from '@mantine/core'
import { countryName } from '#domain/countries.ts'
import { useDecideCountry } from '#features/money/payouts/payouts.mutations.ts'

interface CountryQuestionProps {
  personId: string
  /** The country given by the person, and the country of their card or bank. */
  countries: readonly [declared: string, card: string]
}

/** Asks which of two contradictory countries decides the VAT on the person's fees. */
export function CountryQuestion({ personId, countries }: CountryQuestionProps) {
  const decide = useDecideCountry(personId)
  const [declared, card] = countries.map(countryName)
  return (
    <Alert color="honey" title={t`Which country decides the VAT?`}>
      <Text size="sm" mb="xs">
        <Trans>
          They say they live in {declared}, but pay from {card}.
        </Trans>
      </Text>
      <Group gap="xs">
        {countries.map((country) => (
          <Button
            key={country}
            size="sm"
            variant="default"
            loading={decide.isPending && decide.variables === country}
            onClick={() => decide.mutate(country)}
          >
            {countryName(country)}
          </Button>
        ))}
      </Group>
    </Alert>
  )
}
