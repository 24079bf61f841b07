import { ActionIcon, Container, Group, Text } from '@mantine/core'
import {
  IconBrandFacebook,
  IconBrandInstagram,
  IconBrandLinkedin,
  IconBrandTwitter,
  IconBrandYoutube,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { config } from '#lib/config.ts'
import { useNavigation } from './navigation.ts'
import classes from './Shell.module.css'

const social = [
  { name: 'Facebook', address: 'https://www.facebook.com/', icon: IconBrandFacebook },
  { name: 'Twitter', address: 'https://twitter.com/', icon: IconBrandTwitter },
  { name: 'Instagram', address: 'https://www.instagram.com/', icon: IconBrandInstagram },
  { name: 'LinkedIn', address: 'https://www.linkedin.com/', icon: IconBrandLinkedin },
  { name: 'YouTube', address: 'https://www.youtube.com/', icon: IconBrandYoutube },
]

/** NAV-07, NAV-08 */
export function Footer() {
  const { footer } = useNavigation('signed-out')
  return (
    <footer className={classes.footer}>
      <Container className={classes.footerInner}>
        <nav className={classes.footerLinks} aria-label="Footer">
          {footer.map(({ label, to }) => (
            <Link key={to} to={to} className={classes.link}>
              {label}
            </Link>
          ))}
        </nav>
        <Group gap={0} component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Social media">
          {social.map(({ name, address, icon: Icon }) => (
            <li key={name}>
              <ActionIcon component="a" href={address} target="_blank" rel="noreferrer" aria-label={name}>
                <Icon size={21} />
              </ActionIcon>
            </li>
          ))}
        </Group>
        <Text size="sm" c="dimmed" w="100%">
          Run by {config().operatorName} · Service names and marks belong to their owners
        </Text>
      </Container>
    </footer>
  )
}
