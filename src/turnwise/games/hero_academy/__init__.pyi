from .game import HeroAcademy as HeroAcademy
