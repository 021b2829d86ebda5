/** The generator's own look, without its web font, and with enough contrast for everybody. */
import theme from 'vitepress/theme-without-fonts';
import './style.css';

export default theme;
