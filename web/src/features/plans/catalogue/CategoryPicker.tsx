import { Text, UnstyledButton } from '@mantine/core'
import { IconPackage } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { CATEGORY_CHOICES, type CategoryChoice, categoryLabel } from '#domain/catalogue.ts'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import classes from './CategoryPicker.module.css'

/** The maximum number of logos in a tile. */
const MOST = 6

interface CategoryPickerProps {
  /** A line under each label, such as "9 providers". */
  captionOf: (providers: number) => string
  /** The category's providers, shown as logos; undefined while they load. */
  providersOf: (choice: CategoryChoice) => readonly { name: string }[] | undefined
}

/** The first step of the wizard: every category, with a wide "All" first. */
export function CategoryPicker({ captionOf, providersOf }: CategoryPickerProps) {
  return (
    <ul className={classes.grid}>
      {CATEGORY_CHOICES.map((choice) => {
        const providers = providersOf(choice)
        return (
          <li key={choice} className={choice === 'all' ? classes.wide : undefined}>
            <UnstyledButton
              className={classes.tile}
              renderRoot={(props) => <Link to="/create" search={{ category: choice }} {...props} />}
            >
              <span>
                <Text component="span" display="block" fw={650} lh={1.25}>
                  {categoryLabel(choice)}
                </Text>
                <Text component="span" display="block" size="sm" c="dimmed" lh={1.35} mih="1.35em">
                  {providers && captionOf(providers.length)}
                </Text>
              </span>
              <span className={classes.logos}>
                {providers?.slice(0, MOST).map(({ name }) => (
                  <ProviderLogo key={name} provider={name} size="line" />
                ))}
                {providers?.length === 0 && <IconPackage size={40} stroke={1.4} aria-hidden />}
              </span>
            </UnstyledButton>
          </li>
        )
      })}
    </ul>
  )
}
